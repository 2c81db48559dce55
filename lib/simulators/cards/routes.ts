import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { isId } from "@/lib/ids";
import { MAX_AMOUNT } from "@/lib/money";
import { EXPIRED, isCardNumber, outcomeOf } from "@/lib/simulators/cards/outcomes";
import { getCharge, listCharges, NIL, present, recordCharge } from "@/lib/simulators/cards/records";
import { bodyBy, guarded, invalid } from "@/lib/simulators/guard";
import { monthOf } from "@/lib/time/calendar";

/** The delay of a slow answer, and the longest time that a caller without answer is held. Tests shorten both. */
export const patience = { slowMs: 3_000, heldMs: 30_000 };

/** `…/charges`: charges a card once for each id, answers a repeat with the first outcome at once, and lists charges. */
export const charges = methods({
  POST: guarded((request, context) => chargeCard(request, context)),
  GET: guarded((request, context) => answerList(request, context)),
});

/** `…/charges/{id}`: the outcome of a charge. */
export const charge = methods({ GET: guarded((request, context) => answerOne(request, context)) });

const Charge = z.object({
  id: z.guid().toLowerCase(),
  amount: z.int().min(1).max(MAX_AMOUNT),
  installments: z.int().min(1).max(12),
  soft_descriptor: z.string().max(255),
  card: z.object({
    number: z.string().refine(isCardNumber, "não é o número de um cartão."),
    holder_name: z.string().min(1).max(255),
    expiry_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
    expiry_year: z.string().regex(/^\d{4}$/),
    cvv: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
  }),
  /** The seller's time, which a sandbox moves ahead: it decides whether the card has expired. */
  at: z.iso.datetime().optional(),
});

const chargeCard: Handler = async (request) => {
  const body = await bodyBy(Charge, request);
  if (body instanceof Response) return body;
  const { id, amount, installments, card, at } = body;
  const hasExpired = at !== undefined && `${card.expiry_year}-${card.expiry_month}` < monthOf(new Date(at));
  const { status, refused_reason, answers } = hasExpired ? EXPIRED : outcomeOf(card.number);
  const recorded = await recordCharge({ id, amount, installments, status, refused_reason });
  if (recorded) {
    if (answers === "never") return hold(request);
    if (answers === "slow") await pause(patience.slowMs);
    return json(201, present(recorded));
  }
  const earlier = await getCharge(id);
  const isSame = earlier?.amount === String(amount) && earlier.installments === installments;
  return isSame ? json(201, present(earlier)) : json(409, { message: "id: já usado por outra cobrança." });
};

/** Gives no answer until the caller goes, or until a gateway would have ended the request; never the outcome. */
async function hold({ signal }: Request): Promise<Response> {
  await pause(patience.heldMs, undefined, { signal }).catch(() => {});
  return json(504, { message: "O emissor não respondeu." });
}

const Query = z.object({
  since: z.iso.datetime({ offset: true }),
  cursor: z
    .string()
    .transform((text) => text.split("~"))
    .pipe(z.tuple([z.iso.datetime(), z.guid()]))
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** The charges at or after `since`, oldest first; `next_cursor` leads to the next page. */
const answerList: Handler = async (request) => {
  const { data: query, error } = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (error) return invalid(error);
  const found = await listCharges(query.cursor ?? [query.since, NIL], query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return json(200, { data: page.map(present), next_cursor: last ? `${last.created_at}~${last.id}` : null });
};

const answerOne: Handler = async (_, { params }) => {
  const { id = "" } = (await params) ?? {};
  const found = isId(id) ? await getCharge(id) : undefined;
  return found
    ? json(200, present(found))
    : json(404, { message: "Cobrança não encontrada.", error: "charge_not_found" });
};
