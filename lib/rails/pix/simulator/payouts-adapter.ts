import { z } from "zod";
import { digitsOf, idOf } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { cut } from "@/lib/rails/pix/cut";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import type { Payout, PayoutAnswer, PixPayouts } from "@/lib/rails/pix/payouts";
import { answered, ask } from "@/lib/rails/pix/simulator/ask";

/** Payouts per page: as many as the PSP gives. */
const PAGE = "500";

/** The port over the simulated PSP. */
export const payouts: PixPayouts = {
  lostAfterMs: null, // its keys of a sandbox have it forget what it made

  async lookUpKey({ type, key, document }) {
    const answer = await ask("/keys", { ...within(timeouts.findMs), method: "POST", body: { type, key, document } });
    if (isUnknown(answer)) return null;
    return KeyOwner.parse(answered(answer));
  },

  async sendPayout({ id, type, key, amount, document, description }) {
    const body = {
      type,
      key,
      document,
      amount: decimal(amount),
      ...(description && { description: cut(description, 140) }),
    };
    const answer = await ask(pathOf(id), { ...within(timeouts.callMs), method: "PUT", body });
    if (answer.status === UNREACHED) return { status: "lost" };
    if (isRefusal(answer)) {
      const earlier = await payouts.findPayout(id);
      return earlier?.answer ?? { status: "failed", reason: Problem.parse(answer.json).detail };
    }
    return payoutOf(Found.parse(answered(answer)), id).answer;
  },

  async findPayout(id) {
    const answer = await ask(pathOf(id), within(timeouts.findMs));
    return isUnknown(answer) ? null : payoutOf(Found.parse(answered(answer)), id);
  },

  async *payoutsChangedWithin(since, until) {
    const query = new URLSearchParams({ since: since.toISOString(), until: until.toISOString(), limit: PAGE });
    for (;;) {
      const { data, next_cursor } = Page.parse(answered(await ask(`/payouts?${query}`)));
      for (const one of data) yield payoutOf(one);
      if (!next_cursor) return;
      query.set("cursor", next_cursor);
    }
  },

  simulate: {
    endPayout: ({ id, isPaid }) => play(`${pathOf(id)}/end`, { status: isPaid ? "paid" : "failed" }),
    returnPayout: ({ id, amount }) => play(`${pathOf(id)}/returns`, { amount: decimal(amount) }),
  },
};

type Answer = Awaited<ReturnType<typeof ask>>;

const within = (ms: number) => ({ signal: AbortSignal.timeout(ms) });
/** Our id in the letters and digits that the PSP wants. */
const pathOf = (id: string) => `/payouts/${digitsOf(id)}`;

const Problem = z.object({ type: z.string(), detail: z.string() });

/** A 404 or a refusal of the PSP's own, and none of a server in between. */
const isUnknown = ({ status, json }: Answer) => status === 404 && Problem.safeParse(json).success;
const isRefusal = ({ status, json }: Answer) => status === 400 && Problem.safeParse(json).success;

const KeyOwner = z.object({
  name: z.string(),
  document: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
  ispb: z.string(),
});

const time = z.iso.datetime();

const Found = z.object({
  id: z.string(),
  amount: z.string(),
  status: z.enum(["processing", "paid", "failed"]),
  reason: z.string().nullable(),
  end_to_end_id: z.string().regex(END_TO_END_ID),
  paid_at: time.nullable(),
  changed_at: time,
  returns: z.array(z.object({ id: z.string().regex(/^D[a-zA-Z0-9]{31}$/), amount: z.string(), created_at: time })),
});
type Found = z.infer<typeof Found>;

const Page = z.object({ data: z.array(Found), next_cursor: z.string().nullable() });

/** A payout by our id. Throws where it is another than the one that was asked about. */
function payoutOf({ id: named, amount, returns, changed_at, ...found }: Found, asked?: string): Payout {
  const id = idOf(named) ?? named;
  if (asked !== undefined && digitsOf(id) !== digitsOf(asked))
    throw new Error("The rail answered about another payout");
  return {
    ...{ id, amount: cents(amount), answer: answerOf(found), changedAt: new Date(changed_at) },
    returns: returns.map((one) => ({
      ...{ returnId: one.id, amount: cents(one.amount), returnedAt: new Date(one.created_at) },
    })),
  };
}

function answerOf({
  status,
  end_to_end_id: endToEndId,
  paid_at,
  reason,
}: Omit<Found, "id" | "amount" | "returns" | "changed_at">): PayoutAnswer {
  if (status === "processing") return { status: "accepted" };
  if (status === "failed") return { status: "failed", reason };
  if (!paid_at) throw new Error("The rail named no time of a payout that was paid");
  return { status: "paid", endToEndId, paidAt: new Date(paid_at) };
}

function cents(amount: string): number {
  const found = centsOf(amount);
  if (!found) throw new Error("The rail answered with a malformed amount");
  return found;
}

async function play(path: string, body: object): Promise<boolean> {
  const answer = await ask(path, { method: "POST", body });
  if (isRefusal(answer)) return false;
  answered(answer);
  return true;
}
