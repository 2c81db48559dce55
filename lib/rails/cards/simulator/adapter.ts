import { z } from "zod";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import { httpClient, type Sent, timeouts, UNREACHED } from "@/lib/outside/http-client";
import type { Acquirer, Outcome } from "@/lib/rails/cards/port";
import { isSigned } from "@/lib/rails/cards/simulator/agreement";
import type { SentBack } from "@/lib/rails/sent-back";
import { simulatedDisputes } from "@/lib/rails/simulated-disputes";

/** The port over the simulated acquirer, which it calls over HTTP with a credential, like a real one. */
export const simulator = {
  provider: "simulator",

  async charge({ id, amount, installments, card, softDescriptor, at }) {
    const body = JSON.stringify({ id, amount, installments, card, soft_descriptor: softDescriptor, at });
    const { status, json } = await ask("/charges", timeouts.callMs, { method: "POST", body });
    if (status === UNREACHED || status === 422) return { status: "lost" };
    if (status !== 201) throw new Error(`The acquirer answered ${status} to a charge`);
    return outcomeOf({ id, amount }, json);
  },

  async find({ id, amount }) {
    if (!isId(id)) return null;
    const { status, json } = await ask(`/charges/${id}`, timeouts.findMs, { method: "GET" });
    if (status === 404 && Unknown.safeParse(json).success) return null;
    if (status !== 200) throw new Error(`The acquirer answered ${status} about a charge`);
    return outcomeOf({ id, amount }, json);
  },

  async sendBack({ chargeId, id, amount }) {
    const body = JSON.stringify({ amount });
    const { status, json } = await ask(refundPath(chargeId, id), timeouts.callMs, { method: "PUT", body });
    if (status === UNREACHED) return { status: "lost" };
    if (status === 409) return { status: "failed", reason: Refused.parse(json).error };
    if (status !== 201) throw new Error(`The acquirer answered ${status} to a refund`);
    return sentBackOf(id, json);
  },

  async findSentBack({ chargeId, id }) {
    const { status, json } = await ask(refundPath(chargeId, id), timeouts.findMs, { method: "GET" });
    if (status === 404 && Refused.safeParse(json).data?.error === "refund_not_found") return null;
    if (status !== 200) throw new Error(`The acquirer answered ${status} about a refund`);
    return sentBackOf(id, json);
  },

  async *approvedSince(since) {
    let query = new URLSearchParams({ since: since.toISOString(), limit: PAGE });
    for (;;) {
      const { status, json } = await ask(`/charges?${query}`, timeouts.findMs, { method: "GET" });
      const { data: page } = Page.safeParse(json);
      if (status !== 200 || !page) throw new Error(`The acquirer answered ${status} about its charges`);
      for (const { id, amount, created_at, status } of page.data) {
        if (status === "approved") yield { id, amount, at: new Date(created_at) };
      }
      if (!page.next_cursor) return;
      query = new URLSearchParams({ since: since.toISOString(), cursor: page.next_cursor, limit: PAGE });
    }
  },

  disputes: simulatedDisputes((path, { method, body }, timeoutMs) =>
    ask(`/chargebacks${path}`, timeoutMs, { method, ...(body && { body: JSON.stringify(body) }) }),
  ),

  verifyCallback({ headers, rawBody }, now) {
    if (!isSigned(env.SIMULATOR_SECRET, headers, rawBody, now)) return null;
    const { data } = Notice.safeParse(JSON.parse(rawBody));
    if (!data) throw new SyntaxError("No notice of the simulated acquirer");
    return [{ eventId: data.event_id, kind: "chargeback", id: data.id, payload: data }];
  },
} satisfies Acquirer;

const Notice = z.object({
  event_id: z.string().regex(/^[\w.:-]{1,100}$/),
  type: z.literal("chargeback"),
  id: z.uuid(),
  status: z.string().max(20),
});

const refundPath = (chargeId: string, id: string) => `/charges/${chargeId}/refunds/${id}`;

const Refused = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) });
const Refund = z.object({ id: z.string(), status: z.literal("completed") });

function sentBackOf(id: string, json: unknown): SentBack {
  if (Refund.parse(json).id !== id) throw new Error("The acquirer answered about another refund");
  return { status: "completed", returnId: null };
}

/** Charges per page: as many as the acquirer gives. */
const PAGE = "500";

const Page = z.object({
  data: z.array(z.object({ id: z.uuid(), amount: z.int(), status: z.string(), created_at: z.iso.datetime() })),
  next_cursor: z.string().nullable(),
});

const OfOne = z.object({ id: z.string(), amount: z.int() });

const Ended = z.discriminatedUnion("status", [
  OfOne.extend({ status: z.literal("approved") }),
  OfOne.extend({
    status: z.literal("refused"),
    refused_reason: z.string().regex(/^[a-z_]{1,50}$/),
    refused_for_good: z.boolean(),
  }),
]);

/**
 * A bare 404 may come from any server. Only this body means that the acquirer has no such charge, so that no money
 * moved.
 */
const Unknown = z.object({ error: z.literal("charge_not_found") });

function outcomeOf({ id, amount }: { id: string; amount: number }, json: unknown): Outcome {
  const { data } = Ended.safeParse(json);
  if (data?.id !== id || data.amount !== amount)
    throw new Error("The acquirer answered with no outcome of this charge");
  if (data.status === "approved") return { status: "approved" };
  return { status: "refused", reason: data.refused_reason, isHard: data.refused_for_good };
}

const acquirer = httpClient(() => ({
  provider: "simulator",
  baseUrl: `${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/cards/v1`,
  headers: { authorization: `Bearer ${env.SIMULATOR_SECRET}` },
}));

const ask = (path: string, timeoutMs: number, sent: Sent) =>
  acquirer(path, { ...sent, kind: `${sent.method} /charges`, signal: AbortSignal.timeout(timeoutMs) });
