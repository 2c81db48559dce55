import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cardCharge } from "@/lib/charges/call";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { settleDueCharges } from "@/lib/charges/settle";
import { asSystem, forAccount, pool } from "@/lib/db";
import { type Idem, replayOf } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { resolveCall } from "@/lib/outside/calls";
import type { CrashPoint } from "@/lib/process/crash-points";
import { reconcile } from "@/lib/reconcile/reconcile";
import { patience } from "@/lib/simulators/cards/routes";
import { answerOf, call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt, startProgram } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";
import { historyOf } from "@/lib/testing/traces";

/**
 * reconcile() reads the whole ledger and the loop settles every due sale, so these tests have a database of their own.
 */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
const { slowMs, heldMs } = patience;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  Object.assign(patience, { slowMs: 0, heldMs: 0 });
});
afterAll(async () => {
  Object.assign(patience, { slowMs, heldMs });
  await rail.close();
  await drop();
});

/** Each flow's card, and the status in which its sale ends if the acquirer was asked, wherever the crash was. */
const flows = {
  approved: { number: "4111111111111111", end: "completed" },
  refused: { number: "4000000000000002", end: "refused" },
  "our own refusal": { number: "4100000000000019", end: "refused" },
  "no answer, then approved": { number: "4000000000000119", end: "completed" },
  "no answer, then refused": { number: "4000000000000259", end: "refused" },
} as const;
type Flow = keyof typeof flows;

const asked = ["approved", "refused", "no answer, then approved", "no answer, then refused"] as const;

/** The points that a charge passes. */
type PointOfCharge = Exclude<
  CrashPoint,
  | "call.claimed"
  | `${"mail" | "cycle" | "refund" | "withdrawal" | "dispute" | "erasure" | "unmatched" | "replay" | "sandbox"}.${string}`
>;

/** Every crash point of a charge with the flows that pass it. */
const reached: Record<PointOfCharge, readonly Flow[]> = {
  "call.beginning": Object.keys(flows) as Flow[],
  "call.begun": Object.keys(flows) as Flow[],
  "call.answered": asked,
  "call.finishing": asked,
  "call.finished": asked,
  "call.found": ["no answer, then approved", "no answer, then refused"],
  "settle.posting": ["approved"],
};

const cases = (Object.keys(reached) as PointOfCharge[]).flatMap((point) =>
  reached[point].map((flow) => ({ point, flow })),
);

const NET = 9_562;
const idemOf = (accountId: string, key: string): Idem => ({
  accountId,
  key,
  requestHash: sha256("the request"),
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});

/** The stored answer that a repeat throws. */
const replayed = async (repeat: Promise<unknown>) => replayOf(await repeat.catch((error) => error))?.body ?? "";

/** Runs in a process of its own, which crashes at CRASH_AT. */
const CHARGE = `import { chargeCard } from "@/lib/charges/charge";
  import { ChargeBody } from "@/lib/charges/schema";
  import { sha256 } from "@/lib/ids";
  const { account, order, key } = JSON.parse(process.env.CASE);
  const render = (result) => ({ status: 200, body: JSON.stringify(result) });
  const idem = { accountId: account.id, key, requestHash: sha256("the request"), render };
  await chargeCard(account, ChargeBody.parse(order), { idem, requestId: crypto.randomUUID() });
  process.exit(0);`;
const RESOLVE = `import { cardCharge } from "@/lib/charges/call";
  import { resolveCall } from "@/lib/outside/calls";
  await resolveCall(cardCharge, JSON.parse(process.env.CASE));
  process.exit(0);`;
const SETTLE = `import { settleDueCharges } from "@/lib/charges/settle";
  await settleDueCharges();
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object) =>
  crashAt(point, source, { CASE: JSON.stringify(given) });

const salesOf = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.transaction.findMany());

/** Makes every call minutes older, so that its process counts as dead, and a call unknown to the acquirer as lost. */
const letTimePass = (minutes: number) =>
  asSystem(
    (tx) =>
      tx.$executeRaw`update calls set sent_at = sent_at - ${minutes} * interval '1 minute', asked_at = asked_at - ${minutes} * interval '1 minute'`,
  );

test.each(cases)(
  "a crash at $point ($flow) ends in one charge or none, and every repeat is answered alike",
  {
    timeout: 60_000,
  },
  async ({ point, flow }) => {
    const seller = await makeAccount();
    const { number, end } = flows[flow];
    const order = anOrder(await aToken(seller, number));
    const idem = idemOf(seller.accountId, newId());
    const charge = (): Promise<string> =>
      chargeCard(seller.account, ChargeBody.parse(order), { ...call(), idem }).then(
        (result) => JSON.stringify(result),
        (error) => answerOf(error).body,
      );

    if (point.startsWith("call.") && point !== "call.found") {
      await crash(point, CHARGE, { account: seller.account, order, key: idem.key });
    } else {
      await charge();
    }
    const id = (await salesOf(seller))[0]?.id ?? "";
    if (point === "call.found") {
      await crash(point, RESOLVE, { accountId: seller.accountId, id });
    }
    if (point === "settle.posting") {
      await forAccount(seller.accountId, (tx) => tx.transaction.updateMany({ data: { settleAt: new Date(0) } }));
      await crash(point, SETTLE, {});
      expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: NET });
      await settleDueCharges();
    }

    await letTimePass(16);
    const answers = [await charge(), await charge()];
    expect(new Set(answers).size).toBe(1);
    const [sale, ...others] = await salesOf(seller);
    expect(others).toEqual([]);
    const calls = await forAccount(seller.accountId, (tx) => tx.call.findMany());
    expect(calls).toHaveLength(flow === "our own refusal" ? 0 : 1);
    await Promise.all([...calls, ...calls].map((made) => resolveCall(cardCharge, made)));

    const neverAsked = point === "call.begun" && flow !== "our own refusal";
    const [final] = await salesOf(seller);
    expect(final?.status).toBe(neverAsked ? "failed" : end);
    const history = await historyOf(seller.accountId, sale?.id ?? "");
    expect(history).toEqual(["pending", `pending → ${final?.status}`]);
    const { available, pending } = await readBalances(seller.accountId);
    expect(available + pending).toBe(final?.status === "completed" ? NET : 0);
    const recorded = "select count(*)::int as count from simulator_charges where id = $1";
    const { rows } = await pool().query(recorded, [final?.id]);
    expect(rows).toEqual([{ count: neverAsked || flow === "our own refusal" ? 0 : 1 }]);
    expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
  },
);

test.each(["call.begun", "call.answered", "call.finishing"] as const)(
  "a key left by a crash at %s is answered at once from the sale, and its answer stands",
  { timeout: 60_000 },
  async (point) => {
    const seller = await makeAccount();
    const order = anOrder(await aToken(seller, flows.approved.number));
    const idem = idemOf(seller.accountId, newId());
    await crash(point, CHARGE, { account: seller.account, order, key: idem.key });
    const repeat = () => replayed(chargeCard(seller.account, ChargeBody.parse(order), { ...call(), idem }));
    const answer = await repeat();
    expect(JSON.parse(answer)).toMatchObject({ status: "pending" });
    await letTimePass(16);
    const [sale] = await salesOf(seller);
    await resolveCall(cardCharge, { accountId: seller.accountId, id: sale?.id ?? "" });
    expect((await salesOf(seller))[0]?.status).not.toBe("pending");
    expect(await repeat()).toBe(answer);
  },
);

test("a repeat waits for its first request while that is under way in another process, and is answered alike", async () => {
  const seller = await makeAccount();
  const order = anOrder(await aToken(seller, "4000000000000101")); // the acquirer answers it slowly
  const idem = idemOf(seller.accountId, newId());
  Object.assign(patience, { slowMs: 1_500 });
  const first = await startProgram(CHARGE, { CASE: JSON.stringify({ account: seller.account, order, key: idem.key }) });
  await vi.waitFor(async () => expect(await salesOf(seller)).toHaveLength(1), { timeout: 15_000, interval: 20 });
  const repeated = await replayed(chargeCard(seller.account, ChargeBody.parse(order), { ...call(), idem }));
  Object.assign(patience, { slowMs: 0 });
  expect(JSON.parse(repeated)).toMatchObject({ status: "completed" });
  await first.ended();
});
