import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runPrepared } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { lookAtRails } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import { lookAtEach } from "@/lib/outside/looks";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { saleOf } from "@/lib/testing/subscriptions";

/** A look is at all payments of the database. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
let seller: Made;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  seller = await makeAccount();
});
afterAll(async () => {
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
  await rail.close();
  await drop();
});
beforeEach(async () => {
  await run("delete from rail_looks");
  await run("delete from watches");
});

const run = <Row>(text: string, values: unknown[] = []) => runPrepared<Row>("", text, values);
/** Rails that were looked at, and of which no hourly look is due. */
const known = (...names: string[]) =>
  run(
    "insert into rail_looks (provider, look_back_at) select one, now() + interval '1 hour' from unnest($1::text[]) one",
    [names],
  );
const makeDue = () => run("update rail_looks set look_at = now()");
const seen = async () =>
  (await run<{ ago: number }>("select extract(epoch from now() - seen_until)::float8 as ago from rail_looks"))[0]?.ago;

/** A payment that the rail received so long ago, and that no callback reported. */
async function paidAgo(interval: string) {
  const { identifier } = await requestDeposit(seller.account, cashIn(), call());
  const { pixCode } = await saleOf(seller.accountId, identifier);
  const receipt = await railFor("sandbox")?.pay?.({ code: pixCode ?? "" });
  const text = "update simulator_pix set notify_at = null, paid_at = now() - $2::interval where end_to_end_id = $1";
  await run(text, [receipt?.endToEndId, interval]);
  return { id: identifier };
}
const isCompleted = async ({ id }: { id: string }) => (await saleOf(seller.accountId, id)).status === "completed";

test("a payment that nobody reported is completed by itself, however long the outage lasted", async () => {
  await lookAtRails();
  await run("update rail_looks set look_back_at = now() + interval '1 hour', seen_until = now() - interval '9 days'");
  const sales = [await paidAgo("8 days"), await paidAgo("2 hours"), await paidAgo("1 minute")];
  await makeDue();
  await lookAtRails();
  await completeDuePayments();
  expect(await Promise.all(sales.map(isCompleted))).toEqual([true, true, true]);
  expect(await seen(), "the next look begins there").toBeLessThan(90);
});

test("a rail is looked at once a minute, by one worker, and what comes later than a look is found by the next", async () => {
  rail.asked.length = 0;
  await known("simulator");
  await Promise.all([lookAtRails(), lookAtRails(), lookAtRails()]);
  await lookAtRails();
  expect(rail.asked).toHaveLength(1);
  await paidAgo("1 minute");
  const late = await paidAgo("3 minutes"); // shown after a payment that came later
  await makeDue();
  await lookAtRails();
  await completeDuePayments();
  expect(await isCompleted(late)).toBe(true);
});

test("a look that takes long goes on by itself, once, and keeps no other rail waiting", async () => {
  const looked: string[] = [];
  let end = () => {};
  const isEnded = new Promise<void>((done) => {
    end = done;
  });
  const look = async function* (name: string) {
    looked.push(name);
    if (name === "slow") await isEnded;
    yield new Date();
  };
  await known("slow", "quick");
  for (const _ of [1, 2]) {
    await lookAtEach(["slow", "quick"], 0, look, 50);
    await vi.waitFor(async () =>
      expect(await run("select from rail_looks where looked_at is not null")).toHaveLength(1),
    );
    await run("update rail_looks set look_at = now(), looked_at = null where provider = 'quick'");
  }
  expect(looked).toEqual(["quick", "slow", "quick"]);
  end();
  await vi.waitFor(async () => expect(await run("select from rail_looks where looked_at is not null")).toHaveLength(1));
});

test("what is new is read once a minute while the hourly look reads what lies back, page by page", async () => {
  const read: number[] = [];
  vi.useFakeTimers({ toFake: ["performance"] });
  const look = async function* (_: string, since: Date, until: Date) {
    read.push(Math.round((until.getTime() - since.getTime()) / 60_000));
    const pages = read.length === 2 ? 4 : 1;
    for (let page = 0; page < pages; page += 1) {
      yield until;
      vi.advanceTimersByTime(25_000);
    }
  };
  await run("insert into rail_looks (provider, seen_until) values ('simulator', now() - interval '2 minutes')");
  await lookAtEach(["simulator"], 0, look);
  vi.useRealTimers();
  expect(read, "minutes of what is new, of three days less those, and of what is new").toEqual([7, 3 * 1_440 - 5, 5]);
});

test("a payment is completed by the rail's list however many that callbacks made up are asked about first", async () => {
  const made = `insert into watches (provider, kind, id, ask_at, ends_at, unanswered_since)
    select 'simulator', 'payment', 'E' || n, now() - interval '1 minute', now() + interval '7 days', now()
    from generate_series(1, 2000) n`;
  await lookAtRails();
  await run(made);
  const sale = await paidAgo("1 minute");
  await makeDue();
  await lookAtRails();
  expect(await isCompleted(sale)).toBe(true);
});

test("a look that dies is repeated within 10 s, from what it had seen", async () => {
  const sale = await paidAgo("1 hour");
  const away = vi.spyOn(railFor("sandbox") as object as { receivedWithin: () => unknown }, "receivedWithin");
  away.mockImplementationOnce(() => {
    throw new Error("the process dies");
  });
  await lookAtRails();
  const [row] = await run<{ wait: number }>(
    "select extract(epoch from look_at - now())::float8 as wait from rail_looks",
  );
  expect(row?.wait).toBeLessThan(8.1);
  await makeDue();
  await lookAtRails();
  away.mockRestore();
  await completeDuePayments();
  expect(await isCompleted(sale)).toBe(true);
});

test("what was seen and asked about in vain is asked about again each hour for three days", async () => {
  await lookAtRails();
  const [old, sale] = [await paidAgo("4 days"), await paidAgo("2 days")];
  await run("update rail_looks set seen_until = now()");
  await makeDue();
  await lookAtRails();
  await completeDuePayments();
  expect(await isCompleted(sale), "not before the hour is over").toBe(false);
  await run("update rail_looks set look_at = now(), look_back_at = now()");
  await lookAtRails();
  await completeDuePayments();
  expect([await isCompleted(old), await isCompleted(sale)]).toEqual([false, true]);
  await run("update rail_looks set look_at = now(), look_back_at = now(), seen_until = now() - interval '2 days'");
  await lookAtRails();
  await completeDuePayments();
  expect(await isCompleted(old)).toBe(true);
});
