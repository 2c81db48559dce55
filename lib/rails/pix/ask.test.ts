import { afterEach, expect, test, vi } from "vitest";
import { askRail } from "@/lib/rails/pix/ask";
import type { Receipt } from "@/lib/rails/pix/receipt";

afterEach(() => vi.restoreAllMocks());

const T0 = Date.parse("2026-11-22T12:00:00Z");
const at = (ms: number) => new Date(T0 + ms);
const payment = (id: string, ms?: number) => ({ id, ...(ms !== undefined && { happenedAt: at(ms) }) });
const receipt = (id: string, ms: number): Receipt => ({
  endToEndId: id,
  txid: "***",
  amount: 1,
  payer: { name: "Ana", document: "52998224725", ispb: "99999999" },
  paidAt: at(ms),
});

/** A rail with these payments, which writes down what it is asked and how many receipts of a window are read. */
function railWith(receipts: readonly Receipt[], broken: { windows?: boolean; ids?: readonly string[] } = {}) {
  const windows: [since: number, until: number, read: number][] = [];
  const alone: string[] = [];
  return {
    provider: "test",
    windows,
    alone,
    async *receivedWithin(since: Date, until: Date) {
      const window: (typeof windows)[number] = [since.getTime() - T0, until.getTime() - T0, 0];
      windows.push(window);
      if (broken.windows) throw new Error("down");
      for (const one of receipts.filter(({ paidAt }) => since <= paidAt && paidAt <= until)) {
        window[2] += 1;
        yield one;
      }
    },
    async received(id: string) {
      alone.push(id);
      if (broken.ids?.includes(id)) throw new Error("down");
      return receipts.find(({ endToEndId }) => endToEndId === id) ?? null;
    },
  };
}

test("payments of one time are one question, those of another time another, and a single one is asked for alone", async () => {
  const known = [receipt("a", 0), receipt("b", 900), receipt("c", 1_900), receipt("d", 60_000), receipt("e", 60_001)];
  const rail = railWith([...known, receipt("alone", 30_000)]);
  const asked = [payment("e", 60_001), payment("alone", 30_000), payment("c", 1_900), payment("a", 0)];
  const found = await askRail(rail, [...asked, payment("b", 900), payment("d", 60_000), payment("untimed")]);
  expect(rail.windows).toEqual([
    [0, 1_901, 3],
    [60_000, 60_002, 2],
  ]);
  expect(rail.alone.sort()).toEqual(["alone", "untimed"]);
  expect([...found.keys()].sort()).toEqual(["a", "alone", "b", "c", "d", "e"]);
});

test("a window's other payments are nobody's business", async () => {
  const rail = railWith([receipt("a", 0), receipt("foreign", 1), receipt("b", 2)]);
  expect([...(await askRail(rail, [payment("a", 0), payment("b", 2)])).keys()]).toEqual(["a", "b"]);
  expect(rail.alone).toEqual([]);
});

test("a window is not read to its end when it holds more than a few pages, and the rest is asked one by one", async () => {
  const foreign = Array.from({ length: 5_000 }, (_, nth) => receipt(`foreign ${nth}`, 500));
  const rail = railWith([receipt("a", 0), ...foreign, receipt("b", 900)]);
  const found = await askRail(rail, [payment("a", 0), payment("b", 900)]);
  expect(rail.windows).toEqual([[0, 901, 1_000]]);
  expect(rail.alone).toEqual(["b"]);
  expect([...found.keys()]).toEqual(["a", "b"]);
});

test("a window that cannot be read, or one payment that cannot, keeps no other from being found", async () => {
  const ids = Array.from({ length: 30 }, (_, nth) => `e${nth}`);
  const rail = railWith(
    ids.map((id) => receipt(id, 0)),
    { windows: true, ids: ["e3"] },
  );
  const found = await askRail(
    rail,
    ids.map((id) => payment(id, 0)),
  );
  expect([...found.keys()].sort()).toEqual(ids.filter((id) => id !== "e3").sort());
});

test("a rail that answers too slowly is not asked any further in this batch", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const rail = railWith([]);
  const received = (id: string) => {
    now += 1_000;
    return rail.received(id);
  };
  const slow = { ...rail, received };
  expect(
    await askRail(
      slow,
      Array.from({ length: 30 }, (_, nth) => payment(`e${nth}`)),
    ),
  ).toEqual(new Map());
  expect(rail.alone).toHaveLength(6);
});
