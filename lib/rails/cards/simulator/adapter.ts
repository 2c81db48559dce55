import { z } from "zod";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import type { Acquirer, Outcome } from "@/lib/rails/cards/port";

/** How long we wait, the whole answer included. Tests make it shorter. */
export const timeouts = { chargeMs: 8_000, findMs: 5_000 };

/** The port over the simulated acquirer: HTTP with a credential, as with a real one. It knows none of its code. */
export const simulator = {
  provider: "simulator",

  async charge({ id, amount, installments, card, softDescriptor }) {
    const body = JSON.stringify({ id, amount, installments, card, soft_descriptor: softDescriptor });
    const { status, told } = await call("/charges", timeouts.chargeMs, { method: "POST", body });
    if (status !== 201) throw new Error(`The acquirer answered ${status} to a charge`);
    return outcomeOf(id, told);
  },

  async find(id) {
    if (!isId(id)) return null;
    const { status, told } = await call(`/charges/${id}`, timeouts.findMs, { method: "GET" });
    if (status === 404 && NeverHeard.safeParse(told).success) return null;
    if (status !== 200) throw new Error(`The acquirer answered ${status} about a charge`);
    return outcomeOf(id, told);
  },

  async *approvedSince(since) {
    let query = new URLSearchParams({ since: since.toISOString(), limit: PAGE });
    for (;;) {
      const { status, told } = await call(`/charges?${query}`, timeouts.findMs, { method: "GET" });
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

const Told = z.discriminatedUnion("status", [
  z.object({ id: z.string(), status: z.literal("approved") }),
  z.object({ id: z.string(), status: z.literal("refused"), refused_reason: z.string().regex(/^[a-z_]{1,50}$/) }),
]);

/** A bare 404 may come from anybody, and "never heard of it" says that no money moved: only the acquirer may say so. */
const NeverHeard = z.object({ error: z.literal("charge_not_found") });

function outcomeOf(id: string, told: unknown): Outcome {
  const { data } = Told.safeParse(told);
  if (data?.id !== id) throw new Error("The acquirer told no outcome of this charge");
  return data.status === "approved" ? { status: "approved" } : { status: "refused", reason: data.refused_reason };
}

/** Status and JSON of an answer. What went wrong is told by its name alone: its text may quote what was sent. */
async function call(path: string, timeoutMs: number, sent: { method: string; body?: string }) {
  try {
    const response = await fetch(`${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/cards/v1${path}`, {
      ...sent,
      headers: { authorization: `Bearer ${env.SIMULATOR_SECRET}`, "content-type": "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, told: (await response.json()) as unknown };
  } catch (error) {
    throw new Error(`The acquirer gave no answer: ${nameOf(error)}`);
  }
}

function nameOf(error: unknown): string {
  const { name, cause } = error as Error;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === "string" ? `${name} ${code}` : name;
}
