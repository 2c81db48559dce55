import type { Mode } from "@/lib/receivers/url";

/** How many attempts one process runs at once. An attempt waits for a receiver and holds no database connection. */
export const PLACES = 256;
/** The limit of all sandboxes together; the rest is for live accounts, because anyone may sign up for a sandbox. */
const SANDBOX_PLACES = (PLACES * 3) / 4;
/** An account may have one place for so many that are free to its mode: alone it has as many in either. */
const FREE_FOR_ONE = { live: 8, sandbox: 6 };
/** A trusted endpoint may have four places, or so large a part of its account's where it has earned them. */
export const ENDPOINT_PLACES = 4;
const MOST_OF_ACCOUNT = 3 / 8;

/** A delivery that is due. */
export type DueDelivery = {
  accountId: string;
  id: string;
  mode: Mode;
  /** A webhook's id, or the host of a callback without a webhook. */
  endpoint: string;
  /** The webhook's last attempt failed. */
  isFailing: boolean;
  /** It was not attempted yet. */
  isFirst: boolean;
  /** What its event is about. */
  subjectId: string;
};

/** An attempt that is under way. */
export type Attempting = DueDelivery & { isSuspect: boolean; places: number };

/** Identifies an endpoint among those of all accounts. */
export const endpointOf = ({ accountId, endpoint }: Pick<DueDelivery, "accountId" | "endpoint">) =>
  `${accountId} ${endpoint}`;

const subjectOf = (due: DueDelivery) => `${endpointOf(due)} ${due.subjectId}`;

/**
 * Chooses which of the deliveries that are due begin now.
 * - An account may use an eighth of the free places, a sandbox a sixth of those that are free to sandboxes, and always one. So
 *   busy accounts leave places free in proportion, and an account with nothing under way finds one at once and goes first.
 * - All sandboxes together may use three quarters of all places.
 * - An endpoint may have as many attempts under way as it has earned, up to three eighths of its account's places, so that
 *   two which begin to hang leave the others room. A suspect endpoint (it failed, was slow, or is unknown) may have one, and suspect
 *   endpoints share half of their account's places.
 * - First attempts at one endpoint about one subject go one after the other.
 *
 * `due` is in order; `placesOf` says how many places an endpoint has earned, 0 where it is not trusted.
 */
export function choose(
  due: readonly DueDelivery[],
  underWay: Iterable<Attempting>,
  placesOf: (due: DueDelivery) => number,
) {
  const counts = countsOf(underWay);
  const waiting = new Map<string, DueDelivery[]>();
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
    // A delivery that is refused here stays refused in this round, because the free places only become fewer.
    const places = placesOf(next);
    const attempting = { ...next, places, isSuspect: next.isFailing || places === 0 };
    if (!mayBegin(attempting, counts)) continue;
    add(attempting, counts);
    chosen.push(attempting);
  }
  return chosen;
}

/**
 * The accounts and endpoints that have no place left, and whether all sandboxes have none; a search passes over them.
 */
export function fullOf(underWay: Iterable<Attempting>) {
  const attempting = [...underWay];
  const counts = countsOf(attempting);
  const endpoints = new Set(attempting.filter((one) => !hasEndpointRoom(one, counts)).map(endpointOf));
  const modes = new Map(attempting.map(({ accountId, mode }) => [accountId, mode]));
  const accounts = [...modes].filter(([id, mode]) => (counts.accounts.get(id) ?? 0) >= allowanceOf(mode, counts));
  return {
    endpoints: [...endpoints],
    accounts: accounts.map(([id]) => id),
    areSandboxesFull: counts.sandboxes >= SANDBOX_PLACES,
  };
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

function allowanceOf(mode: Mode, { all, sandboxes }: Counts): number {
  const free = mode === "sandbox" ? Math.min(PLACES - all, SANDBOX_PLACES - sandboxes) : PLACES - all;
  return Math.max(1, Math.floor(free / FREE_FOR_ONE[mode]));
}

function mayBegin(one: Attempting, counts: Counts): boolean {
  const { accountId, mode, isFirst, isSuspect } = one;
  const allowance = allowanceOf(mode, counts);
  if (counts.all >= PLACES || (mode === "sandbox" && counts.sandboxes >= SANDBOX_PLACES)) return false;
  if ((counts.accounts.get(accountId) ?? 0) >= allowance) return false;
  if (isSuspect && (counts.suspects.get(accountId) ?? 0) >= Math.max(1, Math.floor(allowance / 2))) return false;
  return hasEndpointRoom(one, counts) && !(isFirst && counts.subjects.has(subjectOf(one)));
}

const hasEndpointRoom = (one: Attempting, counts: Counts) =>
  (counts.endpoints.get(endpointOf(one)) ?? 0) <
  (one.isSuspect
    ? 1
    : Math.min(one.places, Math.max(ENDPOINT_PLACES, Math.floor(allowanceOf(one.mode, counts) * MOST_OF_ACCOUNT))));

/** The account with the fewest attempts under way; among equals, the one whose delivery has been due longest. */
function fewestUnderWay(waiting: Map<string, DueDelivery[]>, { accounts }: Counts): [string, DueDelivery[]] {
  let [least, found]: [number, [string, DueDelivery[]]] = [Number.POSITIVE_INFINITY, ["", []]];
  for (const entry of waiting) {
    const count = accounts.get(entry[0]) ?? 0;
    if (count < least) [least, found] = [count, entry];
  }
  return found;
}
