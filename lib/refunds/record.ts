import { defineColumns, type Row } from "@/lib/database/json-rows";
import { digitsOf, idOf } from "@/lib/ids";
import type { SoldItems } from "@/lib/transactions/sale";
import { Prisma, type Refund } from "@/prisma/client/client";
import type { TransactionMethod } from "@/prisma/client/enums";

/** A refund's row, what its answers say of its sale, and what happened to it before. Amounts of the sale in cents. */
export type RefundRecord = { refund: Refund; sale: SaleOfRefund; history: readonly Happened[] };

type SaleOfRefund = {
  id: string;
  method: TransactionMethod;
  amount: number;
  fee: number;
  end_to_end_id: string | null;
  provider?: string;
  paid_at: string | null;
  checkout: SoldItems | null;
  product_id: string | null;
  client_name: string | null;
  client_email: string | null;
  client_document: string | null;
  client_phone: string | null;
};

/** An event of a refund: the status that it led to, the kind of who did it, and when. */
export type Happened = { status: string; actor: string | null; occurred_at: string };

const refunds = defineColumns<Refund>(Prisma.RefundScalarFieldEnum, {
  ...{ amount: "cents", fee: "cents", pendingAmount: "cents", heldShares: "cents" },
});

/** SQL: the record of the row `refund`, as events keep it. Nulls are left out. */
export const recordOf = (refund: string) => `jsonb_strip_nulls(to_jsonb(${refund}) || jsonb_build_object(
    'sale', (
      select jsonb_build_object('id', id, 'method', method, 'amount', amount, 'fee', fee, 'end_to_end_id', end_to_end_id, 'provider', provider,
        'paid_at', paid_at, 'checkout', checkout, 'product_id', product_id, 'client_name', client_name, 'client_email', client_email,
        'client_document', client_document, 'client_phone', client_phone)
      from transactions where account_id = ${refund}.account_id and id = ${refund}.transaction_id
    ),
    'history', (
      select jsonb_agg(jsonb_build_object('status', data ->> 'status', 'actor', actor ->> 'kind', 'occurred_at', occurred_at) order by id)
      from events where account_id = ${refund}.account_id and subject_id = ${refund}.id
    )
  ))`;

/** A refund's record from its JSON. */
export function refundOf({ sale, history, ...row }: Row): RefundRecord {
  return { refund: refunds.of(row), sale: sale as SaleOfRefund, history: (history ?? []) as Happened[] };
}

/** The columns of a new refund. */
export const newRefund = refunds.rowOf;

/** The code by which people and programs name a refund: its id. */
export const codeOf = ({ id }: Pick<Refund, "id">) => `rfd_${digitsOf(id)}`;

/** The id of the refund that a code names; undefined for what is no code. */
export const idOfCode = (code: string) => (code.startsWith("rfd_") ? idOf(code.slice(4)) : undefined);
