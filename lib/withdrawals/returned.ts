import { type Query, transactionFor } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { move } from "@/lib/move";
import type { CallKey } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import type { PayoutReturn } from "@/lib/rails/pix/payouts";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { returnOf } from "@/lib/withdrawals/postings";

/**
 * Writes what came back of a withdrawal: each return once, by the rail's own id of it, which is available again; the fee stays.
 * Is given the same returns any number of times, and twice at once. Throws where the withdrawal is not paid, or where more came
 * back than was sent.
 */
export const receiveReturns = (key: CallKey, returns: readonly PayoutReturn[]): Promise<void> =>
  transactionFor([key.accountId, ...Object.values(platforms)], (query) => receive(query, key, returns));

async function receive(query: Query, { accountId, id }: CallKey, returns: readonly PayoutReturn[]): Promise<void> {
  const [sent] = await query<Sent>("withdrawal_lock", LOCK, [accountId, id]);
  if (!sent) throw new Error(`No withdrawal ${id}`);
  const given = returns.map(({ returnId, amount }) => ({ id: newId(), return_id: returnId, amount }));
  const added = await query<Added>("withdrawal_returns_add", ADD, [accountId, id, JSON.stringify(given)]);
  if (added.length === 0) return;
  const returned = added.reduce((sum, { amount }) => sum + amount, 0);
  const isWhole = sent.returned + returned === sent.amount;
  const posts = added.map((one) => returnOf({ accountId, ...sent }, one));
  const change = { accountId, id, posts, facts: { returned } };
  const [moved] = await move(query, withdrawalNoun, isWhole ? "return" : "return_part", [change]);
  if (!moved) throw new Error(`Money of ${id} came back, which is ${sent.status}`);
  mayCrash("withdrawal.returning");
}

type Sent = { mode: "live" | "sandbox"; provider: string; status: string; amount: number; returned: number };
type Added = { id: string; amount: number };

const LOCK = `select mode::text as mode, provider, status::text as status, amount::float8 as amount, returned_amount::float8 as returned
  from withdrawals where account_id = $1::uuid and id = $2::uuid for update`;

/** Whoever adds the same return at once waits for the lock of its withdrawal. Its time is that of the account. */
const ADD = `insert into withdrawal_returns (account_id, id, withdrawal_id, return_id, amount, created_at)
  select $1::uuid, r.id, $2::uuid, r.return_id, r.amount, (
    select date_trunc('milliseconds', clock_timestamp()) + clock_offset_ms * interval '1 millisecond'
    from accounts where id = $1::uuid
  )
  from json_to_recordset($3::json) as r(id uuid, return_id text, amount bigint)
  on conflict (account_id, withdrawal_id, return_id) do nothing
  returning id, amount::float8 as amount`;
