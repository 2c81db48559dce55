import { z } from "zod";
import { json } from "@/lib/http/answer";
import type { Handler } from "@/lib/http/methods";
import { methods } from "@/lib/http/methods";
import { type BrCode, parseBrCode } from "@/lib/rails/pix/brcode";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import { COB_AT, concludeCob, inRecords, lockCobAt, lockRecAt, REC_AT } from "@/lib/simulators/pix/automatic-records";
import { authorise } from "@/lib/simulators/pix/payer";
import { getPix, newEndToEndId, present, recordPix } from "@/lib/simulators/pix/records";
import { Amount } from "@/lib/typed/amount";

/** `…/payments`: pays a code. The amount is the code's own unless the request names another. */
export const payments = methods({ POST: guarded((request, context) => payCode(request, context)) });

const PAYER = { name: "Pagador de Teste", document: "52998224725", ispb: "99999999" };

const text = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,140}$/u);

const Payment = z.object({
  pix_code: z.string(),
  amount: Amount.nullish(),
  payer: z
    .object({
      name: text.default(PAYER.name),
      document: z
        .string()
        .regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/)
        .default(PAYER.document),
      ispb: z
        .string()
        .regex(/^[0-9A-Z]{8}$/)
        .default(PAYER.ispb),
    })
    .default(PAYER),
  /** The id that the payer's bank makes. A payment that is sent again under it is made once. */
  end_to_end_id: z.string().regex(END_TO_END_ID).optional(),
});

const payCode: Handler = async (request) => {
  const body = await bodyBy(Payment, request);
  if (body instanceof Response) return body;
  const code = read(body.pix_code);
  if (typeof code === "string") return json(422, { message: `pix_code: ${code}` });
  if (code.url !== null) return payCharge(code, body);
  if (code.key !== PIX_KEY || code.recurrenceUrl !== null)
    return json(422, { message: "pix_code: esta chave não é de um cliente deste PSP." });
  const amount = body.amount ?? code.amount;
  if (!amount) return json(422, { message: "amount: o código não traz um valor; informe quanto pagar." });

  const { payer, end_to_end_id = newEndToEndId(payer.ispb) } = body;
  const payment = { end_to_end_id, txid: code.txid ?? "***", key: code.key, amount, payer };
  const recorded = await recordPix(payment);
  if (recorded) return json(201, present(recorded));
  const earlier = await getPix(end_to_end_id);
  if (earlier?.txid === payment.txid && earlier.amount === String(amount)) return json(201, present(earlier));
  return json(409, { message: IN_USE });
};

const IN_USE = "end_to_end_id: já usado por outro pagamento.";

/**
 * Pays the charge of a dynamic code, once. A code that holds a mandate too pays only while that can be authorised, and the
 * payment authorises it.
 */
function payCharge({ url, recurrenceUrl }: BrCode, { payer, amount, end_to_end_id }: z.infer<typeof Payment>) {
  const refused = (message: string) => json(422, { message: `pix_code: ${message}` });
  return inRecords(async (query) => {
    const rec = recurrenceUrl && (await lockRecAt(query, locationOf(recurrenceUrl, REC_AT)));
    const cob = url && (await lockCobAt(query, locationOf(url, COB_AT)));
    if (!cob || (recurrenceUrl && (!rec || rec.first_txid !== cob.txid))) return refused("este PSP não o conhece.");
    const earlier = end_to_end_id && (await getPix(end_to_end_id, query));
    if (earlier) return earlier.txid === cob.txid ? json(201, present(earlier)) : json(409, { message: IN_USE });
    if (cob.status !== "ATIVA") return refused("a cobrança já foi paga.");
    if (rec && rec.doc.status !== "CRIADA") return refused(`a recorrência está ${rec.doc.status}.`);
    if (amount && String(amount) !== cob.amount) return json(422, { message: "amount: difere do valor da cobrança." });
    const { txid } = cob;
    const id = end_to_end_id ?? newEndToEndId(payer.ispb);
    const pix = await recordPix({ end_to_end_id: id, txid, key: PIX_KEY, amount: Number(cob.amount), payer }, query);
    if (!pix) return json(409, { message: IN_USE });
    await concludeCob(query, txid);
    if (rec) await authorise(query, rec, "JORNADA_3", payer);
    return json(201, present(pix));
  });
}

/** The end of an address of this PSP's; no record has an empty one. */
const locationOf = (url: string, at: string) => (url.startsWith(at) ? url.slice(at.length) : "");

function read(pixCode: string): BrCode | string {
  try {
    return parseBrCode(pixCode);
  } catch (error) {
    if (error instanceof SyntaxError) return "não é um BR Code válido.";
    throw error;
  }
}
