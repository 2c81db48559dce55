import type { Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type AmountsOf, kindAt, type OwnersOf, type PostingType, postings } from "@/lib/ledger/chart";

export type Fact<T extends PostingType = PostingType> = {
  [Type in T]: { type: Type; sourceId: string; owners: OwnersOf<Type>; amounts: AmountsOf<Type> };
}[T];

/**
 * Writes business facts to the ledger: postings, entries and their tail, in one statement. Amounts in cents. Throws when
 * one of them was posted before, and then posts none: a fact, which is a type and a sourceId, happens once, and a caller
 * that repeats itself moved a status first and finds it moved. The transaction must have every named owner in scope. It
 * locks nothing; a debit that its owner asks for locks and checks first
 * (`lib/ledger/balance.ts`).
 */
export async function post(tx: Tx, ...facts: readonly Fact[]): Promise<void> {
  await tx.$executeRaw`select ledger_post(${JSON.stringify(rowsOf(facts))}::json)`;
}

/** The rows of facts for the SQL function `ledger_post`, where it is called within a larger statement. */
export const rowsOf = (facts: readonly Fact[]) =>
  facts.map(({ type, sourceId, owners, amounts }) => {
    const sides = sidesOf(type, owners, amounts);
    return {
      id: newId(),
      account_id: ownerOf(owners),
      type,
      source_id: sourceId,
      accounts: sides.map(({ owner }) => owner),
      kinds: sides.map(({ kind }) => kind),
      amounts: sides.map(({ amount }) => amount),
    };
  });

type Owners = { account?: string; recipient?: string; platform?: string; rail?: string | null };

/** Whose fact it is: its account's, or the platform's where no account has part in it. */
const ownerOf = ({ account, recipient, platform }: Owners) => account ?? recipient ?? platform;

/** Both sides of every move that is not zero. */
function sidesOf(type: PostingType, owners: Owners, amounts: object) {
  return postings[type].flatMap(([from, to, name]) => {
    const amount = (amounts as Record<string, number>)[name];
    if (amount === undefined || !Number.isSafeInteger(amount) || amount < 0) {
      throw new Error(`${type} was given ${amount} as ${name}: not a whole number of cents`);
    }
    return amount === 0 ? [] : [side(from, -amount), side(to, amount)];
  });

  function side(address: string, amount: number) {
    const [role, kind = ""] = address.split(".") as [keyof Owners, string];
    if (role === "rail") return { owner: owners.platform, kind: kindAt(kind, owners.rail ?? null), amount };
    return { owner: owners[role], kind, amount };
  }
}
