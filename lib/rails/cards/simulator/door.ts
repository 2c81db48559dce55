import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { json } from "@/lib/http/answer";
import type { Handler } from "@/lib/http/methods";
import { methods } from "@/lib/http/methods";
import { isId } from "@/lib/ids";
import { MAX_AMOUNT } from "@/lib/money";
import { bookCharge, getCharge, listCharges, NIL, present } from "@/lib/rails/cards/simulator/book";
import { isCardNumber, outcomeOf } from "@/lib/rails/cards/simulator/outcomes";
import { bodyBy, guarded, invalid } from "@/lib/rails/simulator-door";

/** How long a late answer takes, and how long a caller that gets none is held at most. Tests make them shorter. */
export const patience = { lateMs: 3_000, heldMs: 30_000 };

/** `…/charges`: what was charged; and charges a card once for each id; the same charge again is told its first outcome, at once. */
export const charges = methods({
  POST: guarded((request, context) => chargeCard(request, context)),
  GET: guarded((request, context) => tellCharges(request, context)),
});

/** `…/charges/{id}`: what became of a charge. */
export const charge = methods({ GET: guarded((request, context) => tellCharge(request, context)) });

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
});

const chargeCard: Handler = async (request) => {
  const body = await bodyBy(Charge, request);
  if (body instanceof Response) return body;
  const { id, amount, installments, card } = body;
  const { status, refused_reason, answers } = outcomeOf(card.number);
  const booked = await bookCharge({ id, amount, installments, status, refused_reason });
  if (booked) {
    if (answers === "never") return hold(request);
    if (answers === "late") await pause(patience.lateMs);
    return json(201, present(booked));
  }
  const earlier = await getCharge(id);
  const isSame = earlier?.amount === String(amount) && earlier.installments === installments;
  return isSame ? json(201, present(earlier)) : json(409, { message: "id: já usado por outra cobrança." });
};

/** Says nothing until the caller goes, or a gateway in between would have cut the call: never the outcome. */
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

/** What was charged at or after `since`, oldest first, `next_cursor` to go on. */
const tellCharges: Handler = async (request) => {
  const { data: query, error } = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (error) return invalid(error);
  const found = await listCharges(query.cursor ?? [query.since, NIL], query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return json(200, { data: page.map(present), next_cursor: last ? `${last.created_at}~${last.id}` : null });
};

const tellCharge: Handler = async (_, { params }) => {
  const { id = "" } = await params;
  const found = isId(id) ? await getCharge(id) : undefined;
  return found
    ? json(200, present(found))
    : json(404, { message: "Cobrança não encontrada.", error: "charge_not_found" });
};
