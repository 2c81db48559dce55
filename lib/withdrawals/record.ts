import { defineColumns, type Row } from "@/lib/database/json-rows";
import { Prisma, type Withdrawal } from "@/prisma/client/client";

/** A withdrawal's row, and what of it came back, the oldest first. Amounts of returns in cents. */
export type WithdrawalRecord = { withdrawal: Withdrawal; returns: readonly Returned[] };

/** Money that came back; its id is the source of its posting. */
export type Returned = { id: string; amount: number; return_id: string; reason: string | null; created_at: string };

/** The limits under which a withdrawal was asked for, in cents. `approval_above` is null where no second person is needed. */
export type Limits = { each: number; day: number; night: number; new_key: number; approval_above: number | null };

const withdrawals = defineColumns<Withdrawal>(Prisma.WithdrawalScalarFieldEnum, {
  ...{ amount: "cents", fee: "cents", returnedAmount: "cents", isLowered: "flag" },
});

/** SQL: the record of the row `withdrawal`, as events keep it. Nulls are left out. */
export const recordOf = (withdrawal: string) => `jsonb_strip_nulls(to_jsonb(${withdrawal}) || jsonb_build_object(
    'returns', (
      select jsonb_agg(jsonb_build_object('id', id, 'amount', amount, 'return_id', return_id, 'reason', reason,
        'created_at', created_at) order by id)
      from withdrawal_returns where account_id = ${withdrawal}.account_id and withdrawal_id = ${withdrawal}.id
    )
  ))`;

/** Whose the key is; null where the rail told nobody, so that the key stands in the column. */
export const ownerNameOf = ({ ownerName, pixKey }: Pick<Withdrawal, "ownerName" | "pixKey">) =>
  ownerName === pixKey ? null : ownerName;

/** A withdrawal's record from its JSON. */
export function withdrawalOf({ returns, ...row }: Row): WithdrawalRecord {
  return { withdrawal: withdrawals.of(row), returns: (returns ?? []) as Returned[] };
}

/** The columns of a new withdrawal. */
export const newWithdrawal = withdrawals.rowOf;
