import type { Mode } from "@/lib/webhooks/url";

/** Attempts under way in one process. An attempt waits for somebody's server and holds no connection meanwhile. */
export const PLACES = 256;
/** All sandboxes together leave the rest to live accounts: anyone may sign up for a sandbox. */
const SANDBOX_PLACES = (PLACES * 3) / 4;
/** An account has at most one place for so many that are free. */
const FREE_FOR_ONE = 8;
/** An endpoint that answered its last attempt well and soon has at most four places, or a quarter of its account's. */
const ENDPOINT_PLACES = 4;

/** A delivery that is due. */
export type Due = {
  accountId: string;
  id: string;
  mode: Mode;
  /** A webhook's id; or the host of a charge's own callback. */
  endpoint: string;
  /** The webhook's last attempt failed. */
  isFailing: boolean;
  /** Nothing of it was tried yet. */
  isFirst: boolean;
  /** What its event tells of. */
  subjectId: string;
};

/** An attempt that is under way. */
export type Attempting = Due & { isSuspect: boolean };

/** Names an endpoint over all accounts. */
export const endpointOf = ({ accountId, endpoint }: Pick<Due, "accountId" | "endpoint">) => `${accountId} ${endpoint}`;

const subjectOf = (due: Due) => `${endpointOf(due)} ${due.subjectId}`;

/**
 * Chooses which of the deliveries that are due begin now.
 * - An account may have an eighth of the free places under way, and always one. Accounts that want more than there is
 *   leave places free in proportion, so whoever has nothing under way finds one at once, and goes first.
 * - All sandboxes together have three quarters of all places.
 * - An endpoint may have four attempts under way, or a quarter of what its account may have; one that is suspect (it failed, was slow, or was not tried yet) has
 *   one. Suspect endpoints share half of what their account may have.
 * - First attempts at one endpoint about one subject go one after the other.
 *
 * `due` is in order; `isTrusted` says whether an endpoint answered its last attempt well and soon.
 */
export function choose(due: readonly Due[], underWay: Iterable<Attempting>, isTrusted: (due: Due) => boolean) {
  const counts = countsOf(underWay);
  const waiting = new Map<string, Due[]>();
  for (const one of due) {
    const others = waiting.get(one.accountId);
    if (others) others.push(one);
    else waiting.set(one.accountId, [one]);
  }
  const chosen: Attempting[] = [];
  while (waiting.size > 0) {
    const [accountId, theirs] = fewestUnderWay(waiting, counts);
    const next = theirs.shift();
    if (!next) {
      waiting.delete(accountId);
      continue;
    }
    // Nothing that is refused here becomes possible later in the round: places only get fewer.
    const attempting = { ...next, isSuspect: next.isFailing || !isTrusted(next) };
    if (!mayBegin(attempting, counts)) continue;
    add(attempting, counts);
    chosen.push(attempting);
  }
  return chosen;
}

/** Accounts, endpoints and whether all sandboxes can begin nothing more, for the look at what is due to pass over them. */
export function fullOf(underWay: Iterable<Attempting>) {
  const attempting = [...underWay];
  const counts = countsOf(attempting);
  const endpoints = new Set(attempting.filter((one) => !hasEndpointRoom(one, counts)).map(endpointOf));
  const accounts = [...counts.accounts].filter(([, count]) => count >= allowanceOf(counts)).map(([id]) => id);
  return { endpoints: [...endpoints], accounts, areSandboxesFull: counts.sandboxes >= SANDBOX_PLACES };
}

type Counts = {
  all: number;
  sandboxes: number;
  accounts: Map<string, number>;
  suspects: Map<string, number>;
  endpoints: Map<string, number>;
  subjects: Set<string>;
};

function countsOf(underWay: Iterable<Attempting>): Counts {
  const counts: Counts = {
    all: 0,
    sandboxes: 0,
    accounts: new Map(),
    suspects: new Map(),
    endpoints: new Map(),
    subjects: new Set(),
  };
  for (const one of underWay) add(one, counts);
  return counts;
}

function add(one: Attempting, counts: Counts) {
  counts.all += 1;
  if (one.mode === "sandbox") counts.sandboxes += 1;
  increment(counts.accounts, one.accountId);
  if (one.isSuspect) increment(counts.suspects, one.accountId);
  increment(counts.endpoints, endpointOf(one));
  if (one.isFirst) counts.subjects.add(subjectOf(one));
}

const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

const allowanceOf = ({ all }: Counts) => Math.max(1, Math.floor((PLACES - all) / FREE_FOR_ONE));

function mayBegin(one: Attempting, counts: Counts): boolean {
  const { accountId, mode, isFirst, isSuspect } = one;
  const allowance = allowanceOf(counts);
  if (counts.all >= PLACES || (mode === "sandbox" && counts.sandboxes >= SANDBOX_PLACES)) return false;
  if ((counts.accounts.get(accountId) ?? 0) >= allowance) return false;
  if (isSuspect && (counts.suspects.get(accountId) ?? 0) >= Math.max(1, Math.floor(allowance / 2))) return false;
  return hasEndpointRoom(one, counts) && !(isFirst && counts.subjects.has(subjectOf(one)));
}

const hasEndpointRoom = (one: Attempting, counts: Counts) =>
  (counts.endpoints.get(endpointOf(one)) ?? 0) <
  (one.isSuspect ? 1 : Math.max(ENDPOINT_PLACES, Math.floor(allowanceOf(counts) / 4)));

/** Of those that have as few under way the one whose delivery is due longest. */
function fewestUnderWay(waiting: Map<string, Due[]>, { accounts }: Counts): [string, Due[]] {
  let [least, found]: [number, [string, Due[]]] = [Number.POSITIVE_INFINITY, ["", []]];
  for (const entry of waiting) {
    const count = accounts.get(entry[0]) ?? 0;
    if (count < least) [least, found] = [count, entry];
  }
  return found;
}
