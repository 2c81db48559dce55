import { queryOf, type Tx } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";
import { methodNames } from "@/lib/methods/methods";

/** How many sales of an account in scope may still be paid, each method by its own index; at most `COUNTED` of each. */
export async function countPending(tx: Tx, accountId: string): Promise<number> {
  const [row] = await queryOf(tx)<{ pending: number }>("", PENDING, [accountId]);
  return row?.pending ?? 0;
}

const PENDING = `select (${methodNames
  .map(
    (name) => `(select count(*) from (
      select from transactions where account_id = $1::uuid and method = '${name}' and status = 'pending' limit ${COUNTED}
    ) ${name})`,
  )
  .join(" + ")})::int as pending`;
