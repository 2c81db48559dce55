import { setTimeout as sleep } from "node:timers/promises";
import { actAs } from "@/lib/actor";
import { closePools, runPrepared } from "@/lib/db";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { foldTails } from "@/lib/ledger/fold";
import { connectProvider } from "@/lib/providers/connect";
import { reconcile } from "@/lib/reconcile/reconcile";
import { rebuildRollups } from "@/lib/rollups/rebuild";
import { serveApiPix } from "@/lib/testing/api-pix";
import { fund, makeAccount } from "@/lib/testing/make";
import { makeShop } from "@/lib/testing/shop";

export { makeShop, readBalances, rebuildRollups, reconcile };

export const close = closePools;

/** Folds until every tail is empty. */
export async function foldAll() {
  while (await foldTails());
}

/** A PSP of the Central Bank's API Pix that answers after `delayMs`, by which live accounts are paid from now on. */
export async function connectPsp(delayMs: number) {
  const psp = await serveApiPix({ isLenient: true });
  const { callback_secret: _, ...settings } = psp.settings;
  const staff = { kind: "staff", id: newId() } as const;
  await actAs(staff, () => connectProvider({ name: "psp", title: "PSP", ...settings, calls_per_minute: 1_000_000 }));
  psp.between = async (_, serve) => {
    await sleep(delayMs);
    return serve();
  };
  return psp;
}

/** `count` live sellers without money. */
export const makeLiveSellers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeAccount({ mode: "live", feeBasisPoints: 100 })));

const SHOPS_AT_ONCE = 8;

/** A sandbox seller with money and a token. */
export async function makeSeller() {
  const { accountId, clientId, token } = await makeAccount({ available: 500_000 });
  return { accountId, clientId, token };
}

/** `count` sellers whose balances are a snapshot and a tail, as after a day's work. */
export async function makeSellers(count: number) {
  const sellers = [];
  while (sellers.length < count) sellers.push(await makeSeller());
  await foldTails();
  for (const { accountId } of sellers) await fund(accountId, 1_000);
  return sellers;
}

/** `count` sellers whose pages may tokenize cards. */
export async function makeShops(count: number) {
  const shops = [];
  while (shops.length < count)
    shops.push(...(await Promise.all(Array.from({ length: SHOPS_AT_ONCE }, () => makeShop()))));
  return shops.slice(0, count);
}

type Seller = Awaited<ReturnType<typeof makeSeller>>;

/** `count` more access tokens, given to the sellers in turn. */
export async function makeTokens(sellers: readonly Seller[], count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, newSecret);
  const owners = tokens.map((_, index) => sellers[index % sellers.length] as Seller);
  await runPrepared(
    "bench_tokens",
    `insert into access_tokens (hash, account_id, client_id, scopes, expires_at)
     select n.hash, n.account, n.client, c.scopes, now() + interval '1 day'
     from unnest($1::bytea[], $2::uuid[], $3::uuid[]) as n(hash, account, client)
     join credentials c on c.client_id = n.client`,
    [tokens.map(sha256), owners.map(({ accountId }) => accountId), owners.map(({ clientId }) => clientId)],
  );
  return tokens;
}
