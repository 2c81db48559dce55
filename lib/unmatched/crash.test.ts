import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkEvents } from "@/lib/audit-log/link-events";
import { requestDeposit } from "@/lib/deposits/request";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import type { CrashPoint } from "@/lib/process/crash-points";
import { reconcile } from "@/lib/reconcile/reconcile";
import { countEvents } from "@/lib/rollups/count";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { balances } from "@/lib/testing/refunds";
import { saleOf } from "@/lib/testing/subscriptions";
import { again, giveBack, match, moneyArrives, returnAll, returnsAtPsp } from "@/lib/testing/unmatched";

let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
/** What the network loses of each request for a return. */
let lost: "the request" | "the answer" | undefined;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail({
    async between(request, serve) {
      if (!lost || !request.url.includes("/devolucao/")) return serve(request);
      if (lost === "the answer") await serve(request);
      return new Response(null, { status: 504 });
    },
  });
});
afterAll(async () => {
  await rail.close();
  await drop();
});

const { consume } = eventsConsumer({ counts: countEvents, earnings: collectEarnings, audit: linkEvents });
async function expectReconciled() {
  while (await consume());
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
}

/** Run in a process of its own, which crashes at CRASH_AT. */
const INTENT = "{ idem: undefined, requestId: crypto.randomUUID() }";
const MATCH = `import { matchUnmatched } from "@/lib/deposits/match";
  await matchUnmatched(JSON.parse(process.env.CASE), ${INTENT});
  process.exit(0);`;
const RETURN = `import { returnUnmatched } from "@/lib/unmatched/return";
  await returnUnmatched(JSON.parse(process.env.CASE), ${INTENT});
  process.exit(0);`;
const WORK = `import { makeDueCalls } from "@/lib/outside/run";
  import { returnCalls } from "@/lib/unmatched/call";
  await makeDueCalls(returnCalls);
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object = {}) =>
  crashAt(point, source, { CASE: JSON.stringify(given) });

test("a crash while money is matched leaves it and its sale as they were, and it is matched afterwards", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount({ feeBasisPoints: 200 });
  const { identifier } = await requestDeposit(seller.account, cashIn(), call());
  const money = await moneyArrives();
  const { accountId, id } = money;
  await crash("unmatched.matching", MATCH, { accountId, id, transaction: identifier, reason: "Comprovante." });
  expect([(await again(money)).status, (await saleOf(seller.accountId, identifier)).status]).toEqual([
    "open",
    "pending",
  ]);
  expect(await balances(seller)).toEqual([0, 0, 0]);
  await match(money, identifier);
  expect(await balances(seller)).toEqual([9_800, 0, 0]);
  await expectReconciled();
});

describe("a return", () => {
  test("that crashes as it is decided did not happen", { timeout: 60_000 }, async () => {
    const money = await moneyArrives();
    const { accountId, id } = money;
    await crash("unmatched.returning", RETURN, { accountId, id, reason: "Sem venda." });
    await returnAll();
    expect([(await again(money)).status, await returnsAtPsp(money)]).toEqual(["open", []]);
    await expectReconciled();
  });

  test.each([
    "call.claimed",
    "call.beginning",
    "call.begun",
    "call.answered",
    "call.finishing",
    "call.finished",
  ] as const)("that crashes at %s sends the money back once", { timeout: 60_000 }, async (point) => {
    const money = await moneyArrives();
    await giveBack(money);
    await crash(point, WORK);
    // Until it is known what became of it nobody else gets the money.
    if ((await again(money)).status !== "returned") {
      await expect(giveBack(money)).rejects.toMatchObject({ code: "invalid_transition" });
    }
    await returnAll();
    expect(await again(money)).toMatchObject({ status: "returned" });
    expect(await returnsAtPsp(money)).toEqual([{ amount: money.amount, status: "DEVOLVIDO" }]);
    await expectReconciled();
  });

  test.each(["the request", "the answer"] as const)("of which %s is lost is made once", async (what) => {
    const money = await moneyArrives();
    await giveBack(money);
    lost = what;
    await returnAll();
    expect(await again(money), "what is unknown has not failed").toMatchObject({ status: "returning" });
    lost = undefined;
    await returnAll();
    await returnAll();
    expect(await again(money)).toMatchObject({ status: "returned" });
    expect(await returnsAtPsp(money)).toHaveLength(1);
    await expectReconciled();
  });
});
