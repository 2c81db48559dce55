import { z } from "zod";
import { MAX_REASON } from "@/lib/differences/schema";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";
import { unmatchedReasons, unmatchedStatuses } from "@/lib/unmatched/states";
import { Mode, TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

const reason = z.string().trim().min(1, "Escreva por que você decide assim.").max(MAX_REASON);

/** POST …/match: the sale that it was meant for. */
export const MatchBody = z.object({
  transaction: z.uuid({ error: "Informe o identificador da venda." }),
  reason,
});
export type MatchBody = z.output<typeof MatchBody>;

/** POST …/credit: the account that gets it. */
export const CreditBody = z.object({ account: z.uuid({ error: "Informe o identificador da conta." }), reason });
export type CreditBody = z.output<typeof CreditBody>;

/** POST …/transfer: the PSP that the operator moved it from. */
export const TransferBody = z.object({
  provider: z
    .string({ error: "Informe de que provedor o dinheiro saiu." })
    .min(1, "Informe de que provedor o dinheiro saiu.")
    .max(30),
  reason,
});
export type TransferBody = z.output<typeof TransferBody>;

/** POST …/return */
export const ReturnBody = z.object({ reason });
export type ReturnBody = z.output<typeof ReturnBody>;

const text = z.string().nullable();
const amount = z.string().meta({ description: "Reais, two decimals", example: "19.99" });

/** Money that came and belonged to no open sale. */
export const Unmatched = z.object({
  id: z.uuid(),
  /** The account that it is kept with: that of the sale that it names, or the platform's. */
  kept_with: z.uuid(),
  mode: z.enum(Mode),
  method: z.enum(TransactionMethod),
  status: z.enum(unmatchedStatuses),
  amount,
  reason: z.string(),
  /** Whether it goes back by itself; if not, it waits for a person. */
  is_returned_by_policy: z.boolean(),
  provider: z.string(),
  end_to_end_id: z.string(),
  txid: text,
  payer: z.object({ name: text, document: text }).nullable(),
  received_at: time,
  /** The sale that it names. */
  transaction: z.uuid().nullable(),
  /** What was decided, when, and why; nobody decided what went back by policy. */
  decided_at: time.nullable(),
  decision: text,
  credited_account: z.uuid().nullable(),
  matched_transaction: z.uuid().nullable(),
  /** The PSP that it was moved from, of an own transfer. */
  from_provider: text,
  provider_return_id: text,
  /** Why its last return was not made; empty where the provider gave no reason. */
  return_failure: text,
});
export type Unmatched = z.output<typeof Unmatched>;
export const UnmatchedAnswer = z.object({ data: Unmatched });

const Account = z.object({ id: z.uuid(), name: z.string() });

/** An entry of the list. */
export const ListedUnmatched = Unmatched.extend({ account: Account.nullable() });
export type ListedUnmatched = z.output<typeof ListedUnmatched>;
export const UnmatchedPage = pageOf(ListedUnmatched);
export type UnmatchedPage = z.output<typeof UnmatchedPage>;

export const ages = ["day", "week", "month"] as const;

/** GET /api/operator/v1/unmatched: what is held the longest first, what ended latest first. */
export const UnmatchedQuery = PageQuery.extend({
  mode: z.enum(Mode).default("live"),
  status: z.enum(unmatchedStatuses).default("open"),
  age: z.enum(ages).optional().meta({ description: "Only what came longer ago than this" }),
  reason: z.enum(unmatchedReasons).optional(),
  search: z.string().trim().max(100).optional().meta({ description: "End-to-end id, txid or amount" }),
});
export type UnmatchedQuery = z.output<typeof UnmatchedQuery>;

/** A sale that it may have been meant for. */
export const Candidate = z.object({
  reference_id: z.uuid(),
  account: Account,
  amount,
  status: z.enum(TransactionStatus),
  description: text,
  client: text,
  created_at: time,
  is_same_txid: z.boolean(),
});
export type Candidate = z.output<typeof Candidate>;

/** One, with who decided about it and the sales that it may have been meant for. */
export const UnmatchedDetail = ListedUnmatched.extend({
  decided_by: text,
  credited_to: Account.nullable(),
  candidates: z.array(Candidate),
  /** Whether the operator may have moved it here from another PSP. */
  may_be_own_transfer: z.boolean(),
});
export type UnmatchedDetail = z.output<typeof UnmatchedDetail>;
export const UnmatchedDetailAnswer = z.object({ data: UnmatchedDetail });
