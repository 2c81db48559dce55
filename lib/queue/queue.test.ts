import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, transactionFor } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { readQueue } from "@/lib/queue/read";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { DAY_MS } from "@/lib/time/calendar";
import { receiveUnmatched } from "@/lib/unmatched/receive";

/** What waits is counted over the whole database. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

test("what waits for a person is counted by kind, in each mode apart, the longest waiting first", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  await asSystem(async (tx) => {
    await tx.account.update({ where: { id: accountId }, data: { status: "pending", createdAt: ago(2) } });
    await tx.profileRequest.create({ data: { accountId, id: newId(), name: "Loja", createdAt: ago(3) } });
  });
  const money = (mode: "live" | "sandbox", reason: "unknown_txid" | "already_paid", receivedAt: Date) =>
    ({ provider: "bank", endToEndId: newId(), amount: 500, method: "pix", mode, reason, receivedAt }) as const;
  const came = [
    money("live", "unknown_txid", ago(5)),
    money("live", "unknown_txid", ago(4)),
    money("live", "already_paid", ago(9)), // it goes back by itself
    money("sandbox", "unknown_txid", ago(8)),
  ];
  await transactionFor(Object.values(platforms), (query) => receiveUnmatched(query, came));
  const told = ({ data }: Awaited<ReturnType<typeof readQueue>>) =>
    data.map(({ name, count, oldest_at }) => [name, count, oldest_at?.slice(0, 10) ?? null]);
  const day = (days: number) => ago(days).toISOString().slice(0, 10);
  expect(told(await readQueue({ mode: "live" }))).toEqual([
    ["unmatched", 2, day(5)],
    ["profile_requests", 1, day(3)],
    ["accounts", 1, day(2)],
    ["refunds", 0, null],
    ["disputes", 0, null],
    ["withdrawals", 0, null],
    ["differences", 0, null],
  ]);
  expect(told(await readQueue({ mode: "sandbox" }))[0]).toEqual(["unmatched", 1, day(8)]);
});
