import { statement } from "@/lib/db";

const BATCH = 1_000;

/**
 * Deletes the encrypted cards of a batch of tokens that are spent or expired, in real time. Their rows stay for a day
 * (`lib/jobs/retention.ts`), so that a repeated token is answered as spent or expired. Returns whether more may be due.
 */
export async function expireCardTokens(): Promise<boolean> {
  const emptied = await statement("", EXPIRE, []);
  return emptied.length === BATCH;
}

const EXPIRE = `with scope as materialized (select set_config('app.accounts', '*', true) as accounts)
  update card_tokens set wrapped_key = null, sealed_card = null, sealed_cvv = null
  where ctid = any(array(
    select due.at from scope cross join lateral (
      select ctid as at from card_tokens
      where scope.accounts = '*' and wrapped_key is not null and (spent_at is not null or expires_at < now())
      limit ${BATCH} for update skip locked
    ) due
  ))
  returning true as emptied`;
