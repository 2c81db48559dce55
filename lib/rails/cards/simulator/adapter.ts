import { z } from "zod";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import { call, type Sent, timeouts, UNREACHED } from "@/lib/rails/cards/call";
import type { Acquirer, Outcome } from "@/lib/rails/cards/port";

/** The port over the simulated acquirer: HTTP with a credential, as with a real one. It knows none of its code. */
export const simulator = {
  provider: "simulator",

  async charge({ id, amount, installments, card, softDescriptor }) {
    const body = JSON.stringify({ id, amount, installments, card, soft_descriptor: softDescriptor });
    const { status, told } = await ask("/charges", timeouts.chargeMs, { method: "POST", body });
    if (status === UNREACHED || status === 422) return { status: "lost" };
    if (status !== 201) throw new Error(`The acquirer answered ${status} to a charge`);
    return outcomeOf({ id, amount }, told);
  },

  async find({ id, amount }) {
    if (!isId(id)) return null;
    const { status, told } = await ask(`/charges/${id}`, timeouts.findMs, { method: "GET" });
    if (status === 404 && NeverHeard.safeParse(told).success) return null;
    if (status !== 200) throw new Error(`The acquirer answered ${status} about a charge`);
    return outcomeOf({ id, amount }, told);
  },

  async *approvedSince(since) {
    let query = new URLSearchParams({ since: since.toISOString(), limit: PAGE });
    for (;;) {
      const { status, told } = await ask(`/charges?${query}`, timeouts.findMs, { method: "GET" });
      const { data: page } = Page.safeParse(told);
      if (status !== 200 || !page) throw new Error(`The acquirer answered ${status} about its charges`);
      for (const { id, amount, created_at, status } of page.data) {
        if (status === "approved") yield { id, amount, at: new Date(created_at) };
      }
      if (!page.next_cursor) return;
      query = new URLSearchParams({ since: since.toISOString(), cursor: page.next_cursor, limit: PAGE });
    }
  },
} satisfies Acquirer;

/** Charges asked for at once: the most that it gives. */
const PAGE = "500";

const Page = z.object({
  data: z.array(z.object({ id: z.uuid(), amount: z.int(), status: z.string(), created_at: z.iso.datetime() })),
  next_cursor: z.string().nullable(),
});

const OfOne = z.object({ id: z.string(), amount: z.int() });

const Told = z.discriminatedUnion("status", [
  OfOne.extend({ status: z.literal("approved") }),
  OfOne.extend({ status: z.literal("refused"), refused_reason: z.string().regex(/^[a-z_]{1,50}$/) }),
]);

/** A bare 404 may come from anybody, and "never heard of it" says that no money moved: only the acquirer may say so. */
const NeverHeard = z.object({ error: z.literal("charge_not_found") });

function outcomeOf({ id, amount }: { id: string; amount: number }, told: unknown): Outcome {
  const { data } = Told.safeParse(told);
  if (data?.id !== id || data.amount !== amount) throw new Error("The acquirer told no outcome of this charge");
  return data.status === "approved" ? { status: "approved" } : { status: "refused", reason: data.refused_reason };
}

function ask(path: string, timeoutMs: number, sent: Sent) {
  return call(`${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/cards/v1${path}`, {
    ...sent,
    headers: { authorization: `Bearer ${env.SIMULATOR_SECRET}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
}
