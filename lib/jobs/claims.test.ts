import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { asSystem, forAccount, runPrepared } from "@/lib/db";
import { newId } from "@/lib/ids";
import { registry } from "@/lib/jobs/registry";
import { beginCall } from "@/lib/outside/calls";
import { IDLE_MS, makeDueCalls } from "@/lib/outside/run";
import { claimWatches } from "@/lib/outside/watch";
import { advanceClocks } from "@/lib/sandbox/run";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";

/** Claims take whatever is due in the database. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
const during: { notice?: () => Promise<void> } = {};
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail({
    async onCallback() {
      await during.notice?.();
      return new Response("", { status: 503 });
    },
  });
});
afterAll(async () => {
  await rail.close();
  await drop();
});
afterEach(() => void delete during.notice);

const run = <Row>(text: string, values: unknown[] = []) => asSystem((tx) => tx.$queryRawUnsafe<Row[]>(text, ...values));

/** In how many seconds the only row of a table is due, and how long its loop may take to look. */
async function dueIn(table: string, column: string, loop: string): Promise<number> {
  const [row] = await run<{ wait: number }>(
    `select extract(epoch from ${column} - clock_timestamp())::float8 as wait from ${table}`,
  );
  const everyMs =
    loop === "calls" ? IDLE_MS : (registry.loops.find(({ name }) => name === loop)?.everyMs ?? Number.NaN);
  return (row?.wait ?? Number.NaN) + everyMs / 1_000;
}

/** A call is due when neither its instant is ahead nor a claim lasts. */
const CALL_DUE_AT = "greatest(due_at, claimed_until)";

/** What was tried many times already, without an end. */
const TRIED = 9;
const WITHIN_S = 10;

test.each(["payment", "mandate"])(
  "a %s that a killed worker was asking about is due for another within 10 s",
  async (name) => {
    await run("delete from watches");
    const text = "insert into watches (provider, kind, id, attempts) values ('x', $1, 'x', $2)";
    await runPrepared("", text, [name, TRIED]);
    expect(await claimWatches([{ name }])).toHaveLength(1);
    expect(await dueIn("watches", "ask_at", "watches.ask")).toBeLessThanOrEqual(WITHIN_S);
  },
);

test("a call whose process was killed, while it was made or asked about, is asked about within 10 s", async () => {
  const { accountId } = await makeAccount();
  const call = { accountId, id: newId() };
  await forAccount(accountId, (tx) => beginCall(tx, { ...call, kind: "a kind", provider: "nobody" }));
  expect(await dueIn("calls", CALL_DUE_AT, "calls")).toBeLessThanOrEqual(WITHIN_S);
  const past =
    "update calls set due_at = now(), sent_at = now() - interval '20 days', asked_at = now() - interval '20 days' where account_id = $1::uuid";
  await forAccount(accountId, (tx) => tx.$executeRawUnsafe(past, accountId));
  let seen = Number.NaN;
  const find = async () => {
    seen = await dueIn("calls", CALL_DUE_AT, "calls");
    throw new Error("no answer");
  };
  await makeDueCalls([{ name: "a kind", find, write: async () => undefined }]);
  expect(seen).toBeLessThanOrEqual(WITHIN_S);
  expect(await dueIn("calls", CALL_DUE_AT, "calls"), "one that is not answered waits").toBeGreaterThan(3_500);
});

/** Makes a notice of a payment due, the only one. */
async function oweNotice() {
  await runPrepared("", "delete from simulator_pix", []);
  await runPrepared(
    "",
    `insert into simulator_pix (end_to_end_id, txid, key, amount, payer, notify_at, attempts)
    values ('E99999999202611251200AbCdEfGhIjK', 'x', 'k', 1, '{"name":"A","document":"1","ispb":"9"}', now(), ${TRIED})`,
    [],
  );
}

test("a notice whose sender was killed is sent within 10 s", async () => {
  await oweNotice();
  let seen = Number.NaN;
  during.notice = async () => {
    seen = await dueIn("simulator_pix", "notify_at", "simulator.notify");
  };
  await sendNotices();
  expect(seen).toBeLessThanOrEqual(WITHIN_S);
  expect(await dueIn("simulator_pix", "notify_at", "simulator.notify"), "one that is refused waits").toBeGreaterThan(
    3_500,
  );
});

test("a notice whose receiver is slow stays claimed while it is sent", async () => {
  await oweNotice();
  const claimedUntil = () => run<{ at: Date }>("select notify_at as at from simulator_pix");
  let isRenewed = false;
  during.notice = async () => {
    const [first] = await claimedUntil();
    const isLater = async () => Number((await claimedUntil())[0]?.at) > Number(first?.at);
    isRenewed = await vi.waitUntil(isLater, { timeout: 3_500 });
  };
  await sendNotices();
  expect(isRenewed).toBe(true);
});

test("an advance of a clock goes on within 10 s after its worker was killed, and a turn that lasts longer is not taken twice", async () => {
  const { accountId } = await makeAccount();
  await forAccount(accountId, (tx) =>
    tx.clockAdvance.create({ data: { accountId, id: newId(), target: new Date(Date.now() + 86_400_000) } }),
  );
  rail.late.ms = 2_600; // the turn begins with a question to the rail
  const turn = advanceClocks();
  const dueSoon = () => dueIn("clock_advances", "claimed_until", "sandbox.advance");
  await vi.waitFor(async () => expect(await dueSoon()).toBeGreaterThan(4));
  expect(await dueSoon()).toBeLessThanOrEqual(WITHIN_S);
  await run("update clock_advances set claimed_until = now() + interval '2.5 seconds' returning 1");
  await vi.waitFor(async () => expect(await dueSoon(), "it is renewed").toBeGreaterThan(6), { timeout: 2_400 });
  expect(await advanceClocks(), "another worker finds nothing").toBe(false);
  rail.late.ms = 0;
  expect(await turn).toBe(true);
});
