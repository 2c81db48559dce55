import { type CheckoutPay, CheckoutStarted } from "@/lib/checkout/schema";
import { runPrepared } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { assertUnused, type Idem } from "@/lib/idempotency";
import { isId, sha256 } from "@/lib/ids";

type Attempt = CheckoutPay["attempt"];

/**
 * Runs what a visitor's attempt asks for. Where it fails, an attempt that was answered before is answered the same,
 * whatever is wrong with its repeat, and also where the page sells no more. Throws a replay, `idempotency_in_progress`, and
 * what `run` throws.
 */
export async function asFirst<T>(token: string, attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // A pending deposit says itself that it is under way.
    if (!attempt || !(error instanceof AppError) || error.code === "deposit_pending") throw error;
    const accountId = await sellerOf(token);
    if (accountId) await assertUnused(idemOf(accountId, token.toLowerCase(), attempt));
    throw error;
  }
}

/** Whose page it is, whether or not it still sells. */
async function sellerOf(token: string): Promise<string | undefined> {
  const rows = isId(token) ? await runPrepared<{ id: string | null }>("checkout_seller", SELLER, [token]) : [];
  return rows[0]?.id ?? undefined;
}

const SELLER = "select checkout_in_scope($1::uuid) as id";

/**
 * The key of a visitor's attempt. No caller of the API can name it, because of its spaces. Whatever a repeat sends, such as
 * another token of the same card, it is answered as the first was.
 */
export const idemOf = (accountId: string, token: string, attempt: string): Idem => ({
  accountId,
  key: `checkout ${token} ${attempt}`,
  requestHash: sha256(token),
  render: (result) => ({ status: 200, body: JSON.stringify(startedOf(result as Result)) }),
});

type Result = {
  identifier: string;
  status?: string;
  pix_code?: string;
  expires_at?: string | null;
  subscription_token?: string;
};

/** The answer from what the verb of a deposit, a charge or a subscription answered. */
export const startedOf = (result: Result): CheckoutStarted =>
  CheckoutStarted.parse({
    data: {
      payment: result.identifier,
      status: result.status === "completed" ? "paid" : "pending",
      pix_code: result.pix_code ?? null,
      expires_at: result.expires_at ?? null,
      subscription_token: result.subscription_token ?? null,
    },
  });
