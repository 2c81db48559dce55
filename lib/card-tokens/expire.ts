import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { isPicked, locked } from "@/lib/due/find";

const BATCH = 1_000;

/**
 * Deletes the encrypted cards of a batch of tokens that are spent or expired, in real time. Their rows stay for a day
 * (`lib/privacy/retention.ts`), so that a repeated token is answered as spent or expired. Returns whether more may be due.
 */
export async function expireCardTokens(): Promise<boolean> {
  const emptied = await runPrepared("", EXPIRE, []);
  return emptied.length === BATCH;
}

const EXPIRE = `with ${SCOPE_OF_ALL}, over as (
    ${locked(`select account_id, id from card_tokens
    where ${IN_SCOPE} and wrapped_key is not null and (spent_at is not null or expires_at < now())
    limit ${BATCH}`)}
  )
  update card_tokens t set wrapped_key = null, sealed_card = null, sealed_cvv = null
  from over o where ${IN_SCOPE} and ${isPicked("t", "o")}
  returning true as emptied`;
