import { asSystem, forAccount, runPrepared } from "@/lib/db";
import { paymentWatch } from "@/lib/deposits/complete";
import { eventsConsumer } from "@/lib/events/consume";
import { newAlphanumeric, newId } from "@/lib/ids";
import { purges } from "@/lib/jobs/retention";
import { foldTails } from "@/lib/ledger/fold";
import { askAbout, claimWatches, endWatches } from "@/lib/outside/watch";
import { countEvents } from "@/lib/rollups/count";
import { completionOf } from "@/lib/splits/postings";
import { call, makeAccount } from "@/lib/testing/make";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";
import { claimDeliveries } from "@/lib/webhooks/claim";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { recordDelivered } from "@/lib/webhooks/record";
import { WebhookInput } from "@/lib/webhooks/schema";

const BATCH = 500;
const PROVIDER = "simulator";
const URL = "http://localhost:9/";
const payer = { name: "Ana Souza", document: "52998224725", ispb: "00000000" };

/** The product's own purges. */
export const purgesOfWorker = purges;

/** Sellers with a webhook for every event. */
export async function makeSellers(count: number) {
  const sellers = [];
  while (sellers.length < count) {
    const { account, accountId } = await makeAccount();
    await createWebhook(account, WebhookInput.parse({ title: "Loja", url: URL, event: "transaction" }), call());
    sellers.push(accountId);
  }
  return sellers;
}

const { consume } = eventsConsumer({ dispatchEvents, countEvents });

/** Does what `count` whole cycles do to the database, in sets of one seller after the other, and without HTTP. */
export async function runCycles(sellers: readonly string[], count: number) {
  for (let done = 0; done < count; done += BATCH) {
    const accountId = sellers[(done / BATCH) % sellers.length] as string;
    await cycles(accountId, Math.min(BATCH, count - done));
  }
}

async function cycles(accountId: string, count: number) {
  const sales = Array.from({ length: count }, () => ({
    ...{ accountId, id: newId(), method: "pix" as const, amount: 10_000, fee: 199, net: 9_801, shares: [] },
    ...{ txid: newAlphanumeric(25), pixCode: "000201", expiresAt: new Date(Date.now() + 86_400_000) },
    createdAt: new Date(),
  }));
  const written = await forAccount(accountId, (tx) => insertSales(tx, sales));
  const payments = written.map((sale) => ({ sale, endToEndId: `E${newAlphanumeric(31)}` }));
  await request(accountId, payments);
  await askAbout(
    paymentWatch.name,
    PROVIDER,
    payments.map(({ endToEndId }) => ({ id: endToEndId })),
  );
  const claim = () => claimWatches([paymentWatch]);
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
    const ids = new Set(claimed.map(({ id }) => id));
    const moves = payments
      .filter(({ endToEndId }) => ids.has(endToEndId))
      .map(({ sale, endToEndId }) => {
        return {
          accountId,
          id: sale.id,
          paidAt: new Date(),
          endToEndId,
          payer,
          posts: completionOf({ ...sale, mode: "sandbox" }, []),
        };
      });
    await moveSalesNow("pay", moves);
    await endWatches(claimed);
  }
  while (await consume());
  await deliver(accountId);
  while (await foldTails());
}

/** What the requests of a cycle and the simulated PSP write beside the sale. */
async function request(accountId: string, payments: readonly { sale: { txid: string | null }; endToEndId: string }[]) {
  const ids = payments.map(({ endToEndId }) => endToEndId);
  await runPrepared("bench_requests", REQUESTS, [accountId, ids, payments.map(({ sale }) => sale.txid)]);
  await runPrepared("bench_notified", NOTIFIED, [ids]);
}

const REQUESTS = `with scope as materialized (select set_config('app.accounts', '*', true) as name), key as (
    insert into idempotency_keys (account_id, key, request_hash, status, answer)
    select $1::uuid, id, sha256(id::bytea), 200, decode(repeat('5a', 400), 'hex') from scope, unnest($2::text[]) id
  ), log as (
    insert into request_log (id, account_id, method, path, status, duration_ms, ip, created_at)
    select new_id(), $1::uuid, 'POST', '/api/partner/v1/cash-in', 200, 3, '127.0.0.1', now()
    from scope, unnest($2::text[]) id, generate_series(1, 2)
  )
  insert into simulator_pix (end_to_end_id, txid, key, amount, payer)
  select id, txid, 'key', 10000, '{"name": "Ana Souza", "document": "52998224725", "ispb": "00000000"}'
  from scope, unnest($2::text[], $3::text[]) p(id, txid)`;
const NOTIFIED = "update simulator_pix set notify_at = null, attempts = 1 where end_to_end_id = any($1::text[])";

async function deliver(accountId: string) {
  const due = await asSystem((tx) =>
    tx.delivery.findMany({ where: { accountId, nextAttemptAt: { not: null } }, select: { accountId: true, id: true } }),
  );
  for (let at = 0; at < due.length; at += BATCH) {
    const claimed = await claimDeliveries(newId(), due.slice(at, at + BATCH));
    const outcome = { status: 200, body: "ok", error: null, retryAfterMs: null, durationMs: 5 };
    await recordDelivered(claimed.map((sent) => ({ id: newId(), sent, url: URL, outcome })));
  }
}
