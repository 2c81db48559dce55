import { asSystem } from "@/lib/db";

const BATCH = 1_000;

/**
 * Sweep: deletes the encrypted card of spent and expired tokens, in real time. Their rows stay for a day
 * (`lib/jobs/retention.ts`), so that a repeated token is answered as spent or expired. Returns how many were deleted.
 */
export async function expireCardTokens(): Promise<number> {
  for (let count = 0; ; ) {
    const emptied = await asSystem(
      (tx) => tx.$executeRaw`
        update card_tokens set wrapped_key = null, sealed_card = null, sealed_cvv = null where ctid = any(array(
          select ctid from card_tokens
          where wrapped_key is not null and (spent_at is not null or expires_at < now())
          limit ${BATCH} for update skip locked
        ))`,
    );
    count += emptied;
    if (emptied < BATCH) return count;
  }
}
