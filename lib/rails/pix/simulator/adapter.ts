import { z } from "zod";
import { env } from "@/lib/env";
import { idOf } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import type { PixCallback, PixRail } from "@/lib/rails/pix/port";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { isSigned, PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { answered, ask } from "@/lib/rails/pix/simulator/ask";
import { automatic } from "@/lib/rails/pix/simulator/automatic-adapter";
import { payouts } from "@/lib/rails/pix/simulator/payouts-adapter";
import type { SentBack } from "@/lib/rails/sent-back";
import { simulatedDisputes } from "@/lib/rails/simulated-disputes";

/** Payments per page: as many as the PSP gives. */
const PAGE = "500";

/** The port over the simulated PSP, which it calls over HTTP with a credential, like a real one. */
export const simulator: PixRail = {
  provider: "simulator",

  issueCode: ({ txid, amount, merchantName, merchantCity, description }) =>
    writeBrCode({ key: PIX_KEY, reusable: true, text: description ?? null, amount, txid, merchantName, merchantCity }),

  verifyCallback({ headers, rawBody }, now) {
    if (!isSigned(env.SIMULATOR_SECRET, headers, rawBody, now)) return null;
    const { data: body } = Notices.safeParse(JSON.parse(rawBody));
    if (!body) throw new SyntaxError("Not notices of the simulated PSP");
    return body.notices.map((notice) => {
      const { data } = Notice.safeParse(notice);
      return data ? callbackOf(data) : "unreadable";
    });
  },

  async received(endToEndId) {
    if (!END_TO_END_ID.test(endToEndId)) return null;
    const answer = await ask(`/received/${endToEndId}`);
    if (answer.status === 404) return null;
    const receipt = receiptOf(Received.parse(answered(answer)));
    if (receipt.endToEndId !== endToEndId) throw new Error("The rail answered about another payment");
    return receipt;
  },

  async *receivedWithin(since, until) {
    const query = new URLSearchParams({ since: since.toISOString(), until: until.toISOString(), limit: PAGE });
    for (;;) {
      const { data, next_cursor } = ReceivedPage.parse(answered(await ask(`/received?${query}`)));
      yield* data.map(receiptOf);
      if (!next_cursor) return;
      query.set("cursor", next_cursor);
    }
  },

  async sendBack({ endToEndId, id, amount }) {
    const sent = { ...within(timeouts.callMs), method: "PUT", body: { valor: decimal(amount) } } as const;
    const answer = await ask(devolucaoPath(endToEndId, id), sent);
    if (answer.status === UNREACHED) return { status: "lost" };
    if (answer.status === 400 || answer.status === 404) {
      const earlier = await simulator.findSentBack({ endToEndId, id });
      return earlier ?? { status: "failed", reason: reasonOf(answer.json) };
    }
    return sentBackOf(Devolucao.parse(answered(answer)));
  },

  async findSentBack({ endToEndId, id }) {
    const answer = await ask(devolucaoPath(endToEndId, id), within(timeouts.findMs));
    if (answer.status === 404 && Problem.safeParse(answer.json).success) return null;
    return sentBackOf(Devolucao.parse(answered(answer)));
  },

  async endSentBack({ endToEndId, id, isCompleted }) {
    const body = { status: isCompleted ? "DEVOLVIDO" : "NAO_REALIZADO" };
    const answer = await ask(`${devolucaoPath(endToEndId, id)}/end`, { method: "POST", body });
    if (answer.status === 400) return false;
    answered(answer);
    return true;
  },

  automatic,
  payouts,

  disputes: simulatedDisputes((path, { method, body }, timeoutMs) =>
    ask(`/infractions${path}`, { ...within(timeoutMs), method, body }),
  ),

  async pay({ code, amount, payer, endToEndId }) {
    const body = {
      pix_code: code,
      amount: amount === undefined ? undefined : decimal(amount),
      payer,
      end_to_end_id: endToEndId,
    };
    return receiptOf(Received.parse(answered(await ask("/payments", { method: "POST", body }))));
  },
};

const within = (ms: number) => ({ signal: AbortSignal.timeout(ms) });
const devolucaoPath = (endToEndId: string, id: string) => `/received/${endToEndId}/devolucao/${id}`;

const Devolucao = z.discriminatedUnion("status", [
  z.object({ status: z.literal("EM_PROCESSAMENTO") }),
  z.object({ status: z.literal("DEVOLVIDO"), rtrId: z.string().regex(/^D[a-zA-Z0-9]{31}$/) }),
  z.object({ status: z.literal("NAO_REALIZADO"), motivo: z.string().max(140).optional() }),
]);

/** A 404 of the PSP's own, and none of a server in between. */
const Problem = z.object({ type: z.string(), detail: z.string().optional() });
const reasonOf = (json: unknown) => Problem.safeParse(json).data?.detail ?? null;

function sentBackOf(devolucao: z.infer<typeof Devolucao>): SentBack {
  if (devolucao.status === "EM_PROCESSAMENTO") return { status: "accepted" };
  if (devolucao.status === "DEVOLVIDO") return { status: "completed", returnId: devolucao.rtrId };
  return { status: "failed", reason: devolucao.motivo ?? null };
}

const EndToEndId = z.string().regex(END_TO_END_ID);
const Txid = z.string().regex(/^([a-zA-Z0-9]{1,35}|\*\*\*)$/);

const event_id = z.string().regex(/^[\w.:-]{1,100}$/);

const PixNotice = z.object({
  event_id,
  type: z.literal("pix.received"),
  end_to_end_id: EndToEndId,
  txid: Txid,
  amount: z.string().regex(/^\d{1,10}\.\d\d$/),
  /** Missing in notices of the release before. */
  paid_at: z.iso.datetime().optional(),
});

const Notice = z.discriminatedUnion("type", [
  PixNotice,
  z.object({ event_id, type: z.literal("rec"), idRec: z.string().regex(/^[a-zA-Z0-9]{29}$/) }),
  z.object({ event_id, type: z.literal("cobr"), txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }),
  z.object({ event_id, type: z.literal("devolucao"), id: z.string().regex(/^[0-9a-f]{32}$/) }),
  z.object({ event_id, type: z.literal("payout"), id: z.string().regex(/^[0-9a-f]{32}$/) }),
  z.object({ event_id, type: z.literal("infraction"), id: z.string().regex(/^[a-zA-Z0-9]{32}$/) }),
]);

/** What came together; the release before sent each notice in a body of its own. */
const Notices = z
  .object({ notices: z.array(z.unknown()).min(1) })
  .or(z.record(z.string(), z.unknown()).transform((notice) => ({ notices: [notice] })));

function callbackOf(payload: z.infer<typeof Notice>): PixCallback {
  const callback = { eventId: payload.event_id, payload };
  if (payload.type === "rec") return { ...callback, kind: "mandate", id: payload.idRec };
  if (payload.type === "devolucao") return { ...callback, kind: "refund", id: idOf(payload.id) ?? payload.id };
  if (payload.type === "payout") return { ...callback, kind: "payout", id: idOf(payload.id) ?? payload.id };
  if (payload.type === "infraction") return { ...callback, kind: "med", id: payload.id };
  if (payload.type === "cobr") return { ...callback, kind: "debit", id: payload.txid };
  const { end_to_end_id: id, paid_at } = payload;
  return { ...callback, kind: "payment", id, ...(paid_at && { happenedAt: new Date(paid_at) }) };
}

const Received = z.object({
  end_to_end_id: EndToEndId,
  txid: Txid,
  amount: z.string(),
  payer: z.object({ name: z.string(), document: z.string(), ispb: z.string() }),
  paid_at: z.iso.datetime(),
});

const ReceivedPage = z.object({ data: z.array(Received), next_cursor: z.string().nullable() });

function receiptOf({ end_to_end_id, txid, amount, payer, paid_at }: z.infer<typeof Received>): Receipt {
  const cents = centsOf(amount);
  if (!cents) throw new Error("The rail answered with a malformed amount");
  return { endToEndId: end_to_end_id, txid, amount: cents, payer, paidAt: new Date(paid_at) };
}
