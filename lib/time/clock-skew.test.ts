import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { isLive } from "@/lib/auth/live-session";
import { isPageToken, signPageToken } from "@/lib/auth/page-token";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { mintToken } from "@/lib/credentials/mint-token";
import { prisma, runPrepared } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { findToken } from "@/lib/http/find-caller";
import { sha256 } from "@/lib/ids";
import { registry } from "@/lib/jobs/registry";
import { startWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/log";
import { reconcile } from "@/lib/reconcile/reconcile";
import { advanceClock } from "@/lib/sandbox/advance";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { openClocks, withClock } from "@/lib/testing/shifted-clock";
import { anOrder, aToken, makeShop, someAddress } from "@/lib/testing/shop";
import { aPlan, enrolled, nowOf, saleOf, shown } from "@/lib/testing/subscriptions";
import { clockSkewMs, readDatabaseClock } from "@/lib/time/clock-skew";
import { hashPassword } from "@/lib/users/password";
import { signIn } from "@/lib/users/sign-in";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { receiver } from "@/lib/webhooks/testing";

/** Workers do all that is due in the database. */
let drop: () => Promise<void>;
let closeClocks: () => void;
beforeAll(async () => {
  drop = await openOwnDatabase();
  closeClocks = openClocks();
});
afterAll(async () => {
  closeClocks();
  await drop();
});
afterEach(() => void Object.assign(globalThis, { repasseClock: undefined, repasseClockSkew: undefined }));

const HOUR_MS = 3_600_000;
const DEADLINE_MS = 20_000;
const until = (condition: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: DEADLINE_MS, interval: 50 });

describe.each([
  ["ahead", 2 * HOUR_MS],
  ["behind", -2 * HOUR_MS],
])(
  "a web whose clock is two hours %s of the database's, and a worker whose clock is as far off the other way",
  (_, ms) => {
    const onWeb = <T>(run: () => T): T => withClock(ms, run);

    test("complete what is paid, deliver, bill, charge cards, know sessions and tokens by one clock, and reconcile finds nothing", {
      timeout: 60_000,
    }, async () => {
      await readDatabaseClock();
      const rail = await onWeb(() => serveRail());
      const shop = await onWeb(() => makeShop());
      const place = await receiver({ status: 200 });
      const webhook = WebhookInput.parse({ title: "Loja", url: place.url, event: "transaction" });
      await onWeb(() => createWebhook(shop.account, webhook, call()));
      const stop = await withClock(-ms, () => startWorker(registry));
      onTestFinished(async () => {
        await Promise.all([stop(), place.close(), rail.close()]);
      });
      const isCompleted = async (id: string) => (await saleOf(shop.accountId, id)).status === "completed";
      const pay = (id: string) => onWeb(() => simulatePayment(shop.account, { id }, call()));

      const { identifier } = await onWeb(() => requestDeposit(shop.account, cashIn(), call()));
      await pay(identifier);
      await until(() => isCompleted(identifier));
      await until(async () =>
        place.received.some(({ body }) => body.includes(identifier) && body.includes("completed")),
      );

      const { token, sale } = await onWeb(async () => enrolled(shop, await aPlan(shop)));
      await pay(sale);
      await until(() => isCompleted(sale));
      await onWeb(async () => advanceClock((await nowOf(shop)).account, { days: 26 }));
      await until(async () => (await shown(shop, token)).charges?.length === 2);

      const card = await onWeb(() => aToken(shop));
      const charged = await onWeb(async () =>
        chargeCard((await nowOf(shop)).account, ChargeBody.parse(anOrder(card)), call()),
      );
      expect(charged.status).toBe("completed");

      await stop();
      expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
    });

    test("a session, an access token and a page token are valid for as long as their rows and texts say, whoever asks", async () => {
      await readDatabaseClock();
      const seller = await makeAccount();
      const passwordHash = await hashPassword("uma frase só minha");
      await prisma().user.update({ where: { email: seller.email }, data: { passwordHash } });
      const tried = { email: seller.email, password: "uma frase só minha", ip: someAddress(), userAgent: "a browser" };
      const session = await onWeb(() => signIn(tried));
      expect(await isLive(session?.sessionId ?? "")).toBe(true);
      const left = "select extract(epoch from expires_at - now())::float8 as s from sessions where id = $1::uuid";
      const [row] = await runPrepared<{ s: number }>("", left, [session?.sessionId]);
      expect(Math.abs((row?.s ?? 0) - 12 * 3_600)).toBeLessThan(30);

      const pair = { client_id: seller.clientId, client_secret: seller.clientSecret };
      const minted = await onWeb(() => mintToken({ ...pair, ip: someAddress() }));
      expect(Date.parse(minted.expires_at) - Date.now()).toBeGreaterThan(HOUR_MS - 30_000);
      expect(Date.parse(minted.expires_at) - Date.now()).toBeLessThan(HOUR_MS + 30_000);
      expect(await findToken(sha256(minted.access_token))).toMatchObject({ client_id: seller.clientId });

      const page = onWeb(() => signPageToken("pk_test"));
      expect(withClock(-ms, () => isPageToken(page, "pk_test"))).toBe(true);
      const later = Date.now() + 10 * 60_000 + 1_000;
      Object.assign(globalThis, { repasseClock: { at: later, steadyAt: performance.now() } });
      expect(onWeb(() => isPageToken(page, "pk_test"))).toBe(false);
    });
  },
);

test("a clock that is more than 30 s off is reported once when that begins and once when it ends", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const readAt = (ms: number) => withClock(ms, () => readDatabaseClock());
  await readAt(25_000);
  expect(clockSkewMs()).toBeGreaterThan(24_000);
  expect(warn).not.toHaveBeenCalled();
  for (const ms of [2 * HOUR_MS, 2 * HOUR_MS, -2 * HOUR_MS]) await readAt(ms);
  expect(Math.abs((clockSkewMs() ?? 0) + 2 * HOUR_MS)).toBeLessThan(5_000);
  expect(warn).toHaveBeenCalledTimes(1);
  for (let time = 0; time < 2; time += 1) await readAt(0);
  expect(warn).toHaveBeenCalledTimes(2);
});
