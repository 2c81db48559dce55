import { assertFew, failed } from "@/lib/differences/failure";
import { type Difference, differenceOf, isUnsettled, keyOf, type Movement } from "@/lib/differences/movement";
import { type Part, readPayments, readPayouts } from "@/lib/differences/ours";
import type { Figures } from "@/lib/differences/schema";
import { type DifferenceKind, differenceKinds } from "@/lib/differences/states";
import { askAboutOne, movementsOfPayment, movementsOfPayout } from "@/lib/differences/theirs";
import { isId } from "@/lib/ids";
import type { PixRail } from "@/lib/rails/pix/port";

/** Payments and payouts from `since` on and before `until`, and of payments since `returnsSince` what went back of them. */
export type Span = { since: Date; until: Date; returnsSince: Date };

/** How many of a PSP's records are compared at once. */
const PART = 1_000;

/**
 * Compares what a PSP has of a span with what we have, both ways, in parts. What changed after `settledBy` is no difference yet.
 * What the list lacks is asked about alone before it counts as missing. `unjudged` are the keys of what is neither alike nor a
 * difference yet, and `judged` the kinds of which all was read. Throws when the PSP does not answer, and where more
 * than a thousand records differ.
 */
export async function compareRail(rail: PixRail, span: Span, settledBy: Date) {
  const compared = newComparison(settledBy);
  const { since, until, returnsSince } = span;
  if (rail.listReceived) {
    const unread = compared.countUnread;
    for (const [which, from, to] of [
      ["returned", returnsSince, since],
      ["all", since, until],
    ] as const) {
      if (from >= to) continue;
      const listed = readBy(rail.listReceived(from, to, which, unread));
      for await (const { part, ...times } of partsOf(listed, ({ paidAt }) => paidAt, from, to)) {
        const named = part.map(({ endToEndId }) => endToEndId);
        const isMeant = ({ kind }: Movement) => which === "all" || kind === "return";
        const ours = await readPayments(rail.provider, named, times, which);
        const known = new Set(ours.flatMap(({ kind, id }) => (kind === "payment" ? [id] : [])));
        const theirs = part.filter(({ isOfOthers, endToEndId }) => !isOfOthers || known.has(endToEndId));
        compared.addPart(theirs.flatMap(movementsOfPayment).filter(isMeant), ours.filter(isMeant), times);
      }
    }
  }
  if (rail.payouts) {
    const sent = readBy(rail.payouts.payoutsChangedWithin(since, until));
    for await (const { part, ...times } of partsOf(sent, ({ changedAt }) => changedAt, since, until)) {
      const ours = await readPayouts(rail.provider, part.map(({ id }) => id).filter(isId), times);
      compared.addPart(part.flatMap(movementsOfPayout), ours, times);
    }
  }
  const isPaidOut = (kind: DifferenceKind) => kind === "payout" || kind === "payout_return";
  const isRead = (kind: DifferenceKind) => (isPaidOut(kind) ? rail.payouts : rail.listReceived) !== undefined;
  return compared.end(rail, isRead);
}

/**
 * What a comparison has found so far. Both sides may date a record differently, so that what of ours is missing in a part may be
 * in the part before or after it.
 */
function newComparison(settledBy: Date) {
  const found = new Map<string, Difference>();
  const lacking = new Map<string, Movement>();
  const counts = Object.fromEntries(differenceKinds.map((kind) => [kind, { theirs: 0, ours: 0 }])) as Counts;
  const unjudged = new Set<string>();
  let unreadable = 0;
  let before = new Set<string>();

  function addPart(theirs: readonly Movement[], ours: readonly Movement[], { from, to }: Part): void {
    const listed = new Map(theirs.map((one) => [keyOf(one), one]));
    const known = new Map(ours.toReversed().map((one) => [keyOf(one), one]));
    for (const [key, one] of listed) {
      lacking.delete(key);
      if (one.state === "done" && !before.has(key)) counts[one.kind].theirs += 1;
      judge(key, one, known.get(key));
    }
    for (const [key, one] of known) {
      if (one.state !== "done") continue;
      if (one.happenedAt >= from && one.happenedAt < to) counts[one.kind].ours += 1;
      if (listed.has(key) || before.has(key)) continue;
      if (isUnsettled(undefined, one, settledBy)) unjudged.add(key);
      else lacking.set(key, one);
    }
    before = new Set(listed.keys());
    assertFew(found.size + lacking.size);
  }

  function judge(key: string, theirs: Movement | undefined, ours: Movement | undefined) {
    const difference = differenceOf(theirs, ours);
    if (isUnsettled(theirs, ours, settledBy)) unjudged.add(key);
    else if (difference) found.set(key, difference);
  }

  return {
    addPart,
    countUnread: () => {
      unreadable += 1;
    },
    async end(rail: PixRail, isRead: (kind: DifferenceKind) => boolean): Promise<Compared> {
      for (const [key, ours] of lacking) judge(key, await askAboutOne(rail, ours).catch(throwNotRead), ours);
      const judged = unreadable > 0 ? [] : differenceKinds.filter(isRead);
      return { differences: [...found.values()], unjudged: [...unjudged], judged, figures: { ...counts, unreadable } };
    },
  };
}

/** What was found, and what a comparison cannot say: of a list with a record that cannot be read, nothing is known to be alike. */
type Compared = { differences: Difference[]; unjudged: string[]; judged: DifferenceKind[]; figures: Figures };

type Counts = Record<DifferenceKind, { theirs: number; ours: number }>;

/** What a PSP lists, with its errors told from ours. */
async function* readBy<T>(listed: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* listed;
  } catch (error) {
    throwNotRead(error);
  }
}

function throwNotRead(error: unknown): never {
  throw failed("not_read", error instanceof Error ? error.message : String(error));
}

/** Gathers what is listed in order into parts, each with the time that it covers: an instant is in one part alone. */
async function* partsOf<T>(listed: AsyncIterable<T>, atOf: (one: T) => Date, since: Date, until: Date) {
  let [part, from]: [T[], Date] = [[], since];
  for await (const one of listed) {
    const last = part.at(-1);
    if (last !== undefined && part.length >= PART && atOf(one) > atOf(last) && atOf(one) > from) {
      const to = atOf(one);
      yield { part, from, to };
      [part, from] = [[], to];
    }
    part.push(one);
  }
  yield { part, from, to: until };
}
