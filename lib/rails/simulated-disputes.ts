import { z } from "zod";
import { type Answer, timeouts, UNREACHED } from "@/lib/outside/http-client";
import type { Disputes } from "@/lib/rails/disputes";

type Sent = { method: "GET" | "POST" | "PUT"; body?: object };

const Dispute = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  payment_id: z.string(),
  reason: z
    .enum(["fraud", "operational_flaw", "not_received", "not_as_described", "duplicate", "not_recognised", "other"])
    .catch("other"),
  amount: z.int().positive(),
  status: z.enum(["open", "cancelled", "won", "lost"]),
  lost_amount: z.int().nonnegative(),
});
const Page = z.object({ data: z.array(Dispute), next_cursor: z.string().nullable() });
const Problem = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) });

const disputeOf = ({ payment_id: paymentId, lost_amount: lostAmount, ...rest }: z.infer<typeof Dispute>) => ({
  ...{ paymentId, lostAmount },
  ...rest,
});

/** The disputes of a simulated company, whose API is the same for Pix and cards; `ask` reaches it below its path of disputes. */
export const simulatedDisputes = (
  ask: (path: string, sent: Sent, timeoutMs: number) => Promise<Answer>,
): Required<Disputes> => ({
  async read(id) {
    const { status, json } = await ask(`/${encodeURIComponent(id)}`, { method: "GET" }, timeouts.findMs);
    if (status === 404 && Problem.safeParse(json).data?.error === "dispute_not_found") return null;
    if (status !== 200) throw new Error(`The provider answered ${status} about a dispute`);
    const dispute = disputeOf(Dispute.parse(json));
    if (dispute.id !== id) throw new Error("The provider answered about another dispute");
    return dispute;
  },

  async *listOpen() {
    const query = new URLSearchParams({ limit: "500" });
    for (;;) {
      const { status, json } = await ask(`?${query}`, { method: "GET" }, timeouts.findMs);
      if (status !== 200) throw new Error(`The provider answered ${status} about its disputes`);
      const { data, next_cursor } = Page.parse(json);
      yield* data.map(disputeOf);
      if (!next_cursor) return;
      query.set("cursor", next_cursor);
    }
  },

  async defend({ id, text, evidence }) {
    const body = {
      text,
      evidence: evidence.map(({ contentType, ...file }) => ({ ...file, content_type: contentType })),
    };
    const { status, json } = await ask(`/${encodeURIComponent(id)}/defence`, { method: "PUT", body }, timeouts.callMs);
    if (status === UNREACHED) return { status: "lost" };
    if (status === 404 || status === 409)
      return { status: "refused", reason: Problem.safeParse(json).data?.error ?? null };
    if (status !== 200) throw new Error(`The provider answered ${status} to a defence`);
    return { status: "defended" };
  },

  async open({ paymentId, reason, amount }) {
    const body = { payment_id: paymentId, reason, amount };
    const { status, json } = await ask("", { method: "POST", body }, timeouts.callMs);
    if (status === 409) return null;
    if (status !== 201) throw new Error(`The provider answered ${status} to a dispute`);
    return disputeOf(Dispute.parse(json));
  },

  async end({ id, status: as, lostAmount }) {
    const body = { status: as, lost_amount: lostAmount };
    const { status } = await ask(`/${encodeURIComponent(id)}/end`, { method: "POST", body }, timeouts.callMs);
    if (status !== 200 && status !== 409) throw new Error(`The provider answered ${status} to the end of a dispute`);
    return status === 200;
  },
});
