import { z } from "zod";
import { MAX_DEFENCE } from "@/lib/disputes/limits";
import { CursorMeta, CursorQuery, PageQuery, pageOf } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";
import { Amount } from "@/lib/typed/amount";
import { DisputeReason, DisputeStatus, Mode } from "@/prisma/client/enums";

export const disputeReasonLabels = {
  fraud: "Fraude",
  operational_flaw: "Falha operacional",
  not_received: "Produto ou serviço não recebido",
  not_as_described: "Produto ou serviço diferente do combinado",
  duplicate: "Cobrança em duplicidade",
  not_recognised: "Compra não reconhecida",
  other: "Outro motivo",
} as const satisfies Record<DisputeReason, string>;

const amount = z.string().meta({ description: "Reais, two decimals", example: "19.99" });
const text = z.string().nullable();
const timeOrNull = time.nullable();

export const EvidenceFile = z.object({
  id: z.uuid(),
  name: z.string(),
  content_type: z.string(),
  size: z.int().meta({ description: "Bytes" }),
  created_at: time,
});
export type EvidenceFile = z.output<typeof EvidenceFile>;
/** POST /disputes/{code}/files?name=…: the body is the file. */
export const EvidenceQuery = z.object({
  name: z.string().trim().min(1).max(120).default("arquivo").meta({ description: "How its sender calls it" }),
});
export type EvidenceQuery = z.output<typeof EvidenceQuery>;
/** A file as it was sent. */
export type EvidenceContent = { contentType: string; name: string; bytes: Buffer };
export const EvidenceContent = z.custom<EvidenceContent>();
export const EvidenceAnswer = z.object({ data: EvidenceFile });

export const Dispute = z.object({
  code: z.string().meta({ example: "dsp_0199c0de000070008000000000000000" }),
  status: z.enum(DisputeStatus),
  status_label: z.string(),
  /** What disputes it: `med` is of a Pix, `chargeback` of a card. */
  kind: z.enum(["med", "chargeback"]),
  reason: z.enum(DisputeReason),
  reason_label: z.string(),
  amount,
  /** What of the seller's balance is blocked for it now. */
  blocked_amount: amount,
  /** What went back to the payer; zero unless it is lost. */
  lost_amount: amount,
  /** What it costs if it is lost. */
  fee: amount,
  deadline: time,
  opened_at: time,
  ended_at: timeOrNull,
  defence: text,
  defended_at: timeOrNull,
  allowed_actions: z.array(z.enum(["defend"])),
  transaction: z.object({
    reference_id: z.uuid(),
    end_to_end_id: text,
    amount,
    paid_at: timeOrNull,
    method: z.string(),
    product: z.object({ name: text }),
    client: z.object({ name: text, email: text, document: text }),
  }),
  /** What happened to it, the oldest first. */
  events: z.array(
    z.object({ event: z.string(), actor_type: z.enum(["partner", "admin", "system"]), occurred_at: time }),
  ),
});
export type Dispute = z.output<typeof Dispute>;

/** A dispute with the files of its defence. */
export const DisputeDetail = Dispute.extend({ files: z.array(EvidenceFile) });
export type DisputeDetail = z.output<typeof DisputeDetail>;
export const DisputeAnswer = z.object({ data: DisputeDetail });

export const DisputeQuery = CursorQuery.extend({
  status: z.enum(DisputeStatus).optional(),
  reference_id: z.uuid().optional().meta({ description: "Only disputes of this sale" }),
});
export type DisputeQuery = z.output<typeof DisputeQuery>;
export const DisputePage = z.object({ data: z.array(Dispute), meta: CursorMeta });
export type DisputePage = z.output<typeof DisputePage>;

/** POST /disputes/{code}/defence: what the seller answers. Files are sent before it. */
export const DefenceBody = z.object({
  text: z
    .string({ error: "Escreva a sua defesa." })
    .trim()
    .min(1, "Escreva a sua defesa.")
    .max(MAX_DEFENCE, `A defesa tem no máximo ${MAX_DEFENCE} caracteres.`),
});
export type DefenceBody = z.output<typeof DefenceBody>;

/** POST /sandbox/pix/{identifier}/med, and the same of a card sale. Without `amount` all that is left of the sale is disputed. */
export const OpenBody = z.object({
  amount: Amount.nullish().meta({
    description:
      "All that is left of the sale by default. Its last two digits choose what a defence brings: 91 is won, 92 lost, 93 lost by half, 94 cancelled",
  }),
  reason: z.enum(DisputeReason).default("fraud"),
  /** How it ends at once; without it, it stays open until it is defended or ended. */
  outcome: z.enum(["won", "lost", "cancelled"]).nullish(),
});
export type OpenBody = z.output<typeof OpenBody>;

/** POST /sandbox/disputes/{code}/lose: without `amount` all of it is lost. */
export const LoseBody = z.object({ amount: Amount.nullish() });
export type LoseBody = z.output<typeof LoseBody>;

/** GET /api/operator/v1/disputes: the open ones of all accounts, whose deadline is nearest first. */
export const DisputeReviewQuery = PageQuery.extend({ mode: z.enum(Mode).default("live") });
export type DisputeReviewQuery = z.output<typeof DisputeReviewQuery>;
const whose = { account: z.object({ id: z.uuid(), name: z.string(), mode: z.enum(Mode) }) };
export const DisputeReview = z.object({ dispute: Dispute, ...whose });
export type DisputeReview = z.output<typeof DisputeReview>;
export const DisputeReviewPage = pageOf(DisputeReview);
/** One of them, with the files of its defence. */
export const DisputeReviewDetail = z.object({ data: z.object({ dispute: DisputeDetail, ...whose }) });
