import { z } from "zod";
import { env } from "@/lib/env";
import { centsOf, decimal } from "@/lib/money";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import type { PixRail, Receipt } from "@/lib/rails/pix/port";
import { END_TO_END_ID, isSigned, PIX_KEY } from "@/lib/rails/pix/simulator/agreement";

const TIMEOUT_MS = 10_000;
/** Payments per page: as many as the PSP gives. */
const PAGE = "500";

/** The port over the simulated PSP, which it calls over HTTP with a credential, like a real one. */
export const simulator: PixRail = {
  provider: "simulator",

  issueCode: ({ txid, amount, merchantName, merchantCity, description }) =>
    writeBrCode({ key: PIX_KEY, reusable: true, text: description ?? null, amount, txid, merchantName, merchantCity }),

  verifyCallback(headers, rawBody, now) {
    if (!isSigned(env.SIMULATOR_SECRET, headers, rawBody, now)) return null;
    const { success, data } = Notice.safeParse(JSON.parse(rawBody));
    if (!success) throw new SyntaxError("Not a notice of a received Pix");
    return { eventId: data.event_id, endToEndId: data.end_to_end_id, payload: data };
  },

  async received(endToEndId) {
    if (!END_TO_END_ID.test(endToEndId)) return null;
    const response = await ask(`/received/${endToEndId}`);
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    const receipt = receiptOf(Received.parse(await bodyOf(response)));
    if (receipt.endToEndId !== endToEndId) throw new Error("The rail answered about another payment");
    return receipt;
  },

  async *receivedSince(since) {
    let query = new URLSearchParams({ since: since.toISOString(), limit: PAGE });
    for (;;) {
      const { data, next_cursor } = ReceivedPage.parse(await bodyOf(await ask(`/received?${query}`)));
      yield* data.map(receiptOf);
      if (!next_cursor) return;
      query = new URLSearchParams({ cursor: next_cursor, limit: PAGE });
    }
  },

  async pay({ code, amount, payer, endToEndId }) {
    const body = {
      pix_code: code,
      amount: amount === undefined ? undefined : decimal(amount),
      payer,
      end_to_end_id: endToEndId,
    };
    return receiptOf(Received.parse(await bodyOf(await ask("/payments", body))));
  },
};

const EndToEndId = z.string().regex(END_TO_END_ID);
const Txid = z.string().regex(/^([a-zA-Z0-9]{1,35}|\*\*\*)$/);

const Notice = z.object({
  event_id: z.string().regex(/^[\w.:-]{1,100}$/),
  type: z.literal("pix.received"),
  end_to_end_id: EndToEndId,
  txid: Txid,
  amount: z.string().regex(/^\d{1,10}\.\d\d$/),
});

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

function ask(path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${env.SIMULATOR_SECRET}`, "content-type": "application/json" };
  const sent = body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) };
  return fetch(`${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/pix/v1${path}`, {
    ...sent,
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`The simulated PSP answered ${response.status}`);
}
