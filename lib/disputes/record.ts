import { defineColumns, type Row } from "@/lib/database/json-rows";
import { digitsOf, idOf } from "@/lib/ids";
import type { SoldItems } from "@/lib/transactions/sale";
import { type Dispute, Prisma } from "@/prisma/client/client";
import type { TransactionMethod } from "@/prisma/client/enums";

/** A dispute's row, what its answers say of its sale, and what happened to it before. Amounts of the sale in cents. */
export type DisputeRecord = { dispute: Dispute; sale: SaleOfDispute; history: readonly Happened[] };

type SaleOfDispute = {
  id: string;
  method: TransactionMethod;
  amount: number;
  end_to_end_id: string | null;
  paid_at: string | null;
  checkout: SoldItems | null;
  description: string | null;
  product_id: string | null;
  client_name: string | null;
  client_email: string | null;
  client_document: string | null;
};

/** An event of a dispute: what it led to, the kind of who did it, and when. */
export type Happened = { status: string; actor: string | null; occurred_at: string };

const disputes = defineColumns<Dispute>(Prisma.DisputeScalarFieldEnum, {
  ...{ amount: "cents", fee: "cents", heldShares: "cents", blockedAmount: "cents" },
  ...{ pendingAmount: "cents", lostAmount: "cents", deadline: "instant" },
});

/** SQL: the record of the row `dispute`, as events keep it. Nulls are left out. */
export const recordOf = (dispute: string) => `jsonb_strip_nulls(to_jsonb(${dispute}) || jsonb_build_object(
    'sale', (
      select jsonb_build_object('id', id, 'method', method, 'amount', amount, 'end_to_end_id', end_to_end_id, 'paid_at', paid_at,
        'checkout', checkout, 'description', description, 'product_id', product_id, 'client_name', client_name,
        'client_email', client_email, 'client_document', client_document)
      from transactions where account_id = ${dispute}.account_id and id = ${dispute}.transaction_id
    ),
    'history', (
      select jsonb_agg(jsonb_build_object('status', data ->> 'status', 'actor', actor ->> 'kind',
        'occurred_at', occurred_at) order by id)
      from events where account_id = ${dispute}.account_id and subject_id = ${dispute}.id
    )
  ))`;

/** A dispute's record from its JSON. */
export function disputeOf({ sale, history, ...row }: Row): DisputeRecord {
  return { dispute: disputes.of(row), sale: sale as SaleOfDispute, history: (history ?? []) as Happened[] };
}

/** A dispute's row from its JSON alone. */
export const rowOfDispute = disputes.of;

/** The columns of a new dispute. */
export const newDispute = disputes.rowOf;

/** The code by which people and programs name a dispute: its id. */
export const codeOf = ({ id }: Pick<Dispute, "id">) => `dsp_${digitsOf(id)}`;

/** The id of the dispute that a code names; undefined for what is no code. */
export const idOfCode = (code: string) => (code.startsWith("dsp_") ? idOf(code.slice(4)) : undefined);
