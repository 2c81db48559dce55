import type { Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type AmountsOf, type OwnersOf, PLATFORM, type PostingType, postings } from "@/lib/ledger/chart";

export type Fact<T extends PostingType = PostingType> = {
  type: T;
  sourceId: string;
  owners: OwnersOf<T>;
  amounts: AmountsOf<T>;
};

/**
 * Writes one business fact to the ledger: posting, entries and their tail, in one statement. Amounts in cents. The
 * same (type, sourceId) again does nothing, so callers may retry freely. The transaction must be of every owner named
 * and of `PLATFORM`. Takes no lock: a debit its owner asked for locks and checks first (`lib/ledger/balance.ts`).
 */
export async function post<T extends PostingType>(tx: Tx, { type, sourceId, owners, amounts }: Fact<T>): Promise<void> {
  const id = newId();
  const owner = Object.values<string>(owners)[0] ?? PLATFORM;
  const posting = { id, account_id: owner, type, source_id: sourceId };
  const entries = entriesOf(type, owners, amounts).map((entry) => ({ posting_id: id, ...entry }));
  await tx.$executeRaw`select ledger_post(${JSON.stringify([posting])}::json, ${JSON.stringify(entries)}::json)`;
}

/** Both sides of every move that is not zero. */
function entriesOf<T extends PostingType>(type: T, owners: OwnersOf<T>, amounts: AmountsOf<T>) {
  return postings[type].flatMap(([from, to, name]) => {
    const amount = (amounts as Record<string, number>)[name];
    if (amount === undefined || !Number.isSafeInteger(amount) || amount < 0) {
      throw new Error(`${type} was given ${amount} as ${name}: not a whole number of cents`);
    }
    return amount === 0 ? [] : [side(from, -amount), side(to, amount)];
  });

  function side(address: string, amount: number) {
    const [role = "", kind] = address.split(".");
    return { account_id: role === "platform" ? PLATFORM : (owners as Record<string, string>)[role], kind, amount };
  }
}
