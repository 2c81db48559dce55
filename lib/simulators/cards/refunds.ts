import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { isId } from "@/lib/ids";
import { MAX_AMOUNT } from "@/lib/money";
import { getRefund, type Refund, recordRefund } from "@/lib/simulators/cards/records";
import { bodyBy, guarded } from "@/lib/simulators/guard";

/** `…/charges/{id}/refunds/{refund_id}`: sends money of a charge back to its card, once for each id, and says whether it did. */
export const refund = methods({
  PUT: guarded((request, context) => sendBack(request, context)),
  GET: guarded((request, context) => answerOne(request, context)),
});

const Asked = z.object({ amount: z.int().min(1).max(MAX_AMOUNT) });

const sendBack: Handler = async (request, { params }) => {
  const body = await bodyBy(Asked, request);
  if (body instanceof Response) return body;
  const { id: chargeId = "", refund_id: id = "" } = (await params) ?? {};
  if (!isId(chargeId) || !isId(id)) return unknown();
  const recorded = await recordRefund({ id, chargeId, amount: body.amount });
  if (recorded === "unknown") return unknown();
  if (recorded === "too_much")
    return json(409, { message: "amount: passa do que resta da cobrança.", error: "amount_too_high" });
  return json(201, present(recorded));
};

const answerOne: Handler = async (_, { params }) => {
  const { id: chargeId = "", refund_id: id = "" } = (await params) ?? {};
  const found = isId(chargeId) && isId(id) ? await getRefund(id) : undefined;
  return found?.charge_id === chargeId.toLowerCase() ? json(200, present(found)) : unknown();
};

const unknown = () => json(404, { message: "Estorno não encontrado.", error: "refund_not_found" });

const present = ({ id, amount }: Refund) => ({ id, amount: Number(amount), status: "completed" });
