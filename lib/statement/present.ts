import type { Balances as Cents } from "@/lib/ledger/balance";
import type { OwnKind } from "@/lib/ledger/chart";
import { decimal } from "@/lib/money";
import type { Cause } from "@/lib/statement/causes";
import { lineOf } from "@/lib/statement/lines";
import type { StatementLine } from "@/lib/statement/schema";
import { wordsOf } from "@/lib/statement/words";
import { iso } from "@/lib/time/clock";

/** An entry as it is read; `amount` in cents. */
export type Row = {
  id: number;
  type: string;
  kind: OwnKind;
  amount: number;
  part: number;
  source_id: string;
  created_at: string;
};

/**
 * Lines of a statement, newest first. `balances` are those in cents after the first of them; null where lines between them
 * are left out.
 */
export function presentLines(
  rows: readonly Row[],
  balances: Cents | null,
  causeOf: (row: Row) => Cause,
): StatementLine[] {
  const left = balances && { ...balances };
  return rows.map((row) => {
    const { id, type, kind, amount, created_at } = row;
    const after = left && decimal(left[kind]);
    if (left) left[kind] -= amount;
    const { party, reason, record } = causeOf(row);
    return {
      ...{ id: String(id), type, balance: kind, is_fee: lineOf(row)?.name.endsWith("_fee") ?? false },
      description: wordsOf("pt-BR", row, party),
      ...{
        amount: decimal(amount),
        balance_after: after,
        party,
        reason,
        record,
        created_at: iso(new Date(created_at)),
      },
    };
  });
}
