import { expect, onTestFinished, test } from "vitest";
import { asSystem } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readFigures, readHealth } from "@/lib/outside/health";
import { makeAccount } from "@/lib/testing/make";
import { iso } from "@/lib/time/clock";

/** A provider of this name alone, with calls of an account; `seconds` is how long its answer took. */
async function aProvider() {
  const { accountId } = await makeAccount();
  const provider = `test-${newId()}`;
  const made = (seconds: number | null, changes: object = {}) => {
    const sentAt = new Date(Date.now() - 60_000);
    const doneAt = seconds === null ? null : new Date(sentAt.getTime() + seconds * 1_000);
    const far = new Date(Date.now() + 3_600_000);
    return {
      accountId,
      id: newId(),
      kind: "refund",
      provider,
      sentAt,
      doneAt,
      dueAt: far,
      createdAt: sentAt,
      ...changes,
    };
  };
  onTestFinished(async () => {
    await asSystem((tx) => tx.call.deleteMany({ where: { accountId, provider } }));
  });
  return { provider, made };
}

test("a provider's calls are told by kind: how many were answered, tried again, and how fast", async () => {
  const { provider, made } = await aProvider();
  const old = new Date(Date.now() - 2 * 3_600_000);
  const data = [made(1), made(2), made(3, { attempts: 2 }), made(null), made(9, { createdAt: old })];
  await asSystem((tx) => tx.call.createMany({ data }));
  const of = async (period: "hour" | "day") =>
    (await readHealth({ period })).data.filter((one) => one.provider === provider);
  expect(await of("hour")).toEqual([
    { provider, kind: "refund", calls: 4, answered: 3, retried: 1, p50_seconds: 2, p95_seconds: 2.9 },
  ]);
  expect(await of("day")).toMatchObject([{ calls: 5, answered: 4, p50_seconds: 2.5 }]);
});

test("a provider's figures are its last success, the answers of hour and day, and what waits, by its age", async () => {
  const { provider, made } = await aProvider();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const old = { createdAt: ago(120), sentAt: ago(120) };
  const data = [
    ...[made(1), made(3, { attempts: 2 }), made(9, { createdAt: ago(120) })],
    ...[made(null, { createdAt: ago(0), sentAt: ago(0) }), made(null, { createdAt: ago(2), sentAt: ago(2) })],
    ...[made(null, old), made(null, { ...old, acceptedAt: ago(119), attempts: 5 })],
  ];
  await asSystem((tx) => tx.call.createMany({ data }));
  await asSystem((tx) =>
    tx.watch.create({ data: { provider, kind: "payment", id: newId(), unansweredSince: ago(1) } }),
  );
  const last = iso(data[2]?.doneAt as Date);
  expect((await readFigures()).get(provider)).toEqual({
    last_success_at: last,
    looked_at: null,
    hour: { calls: 4, failed: 2, p50_seconds: 2, p95_seconds: 2.9 },
    day: { calls: 7, failed: 3, p50_seconds: 3, p95_seconds: 8.4 },
    open: { waiting: 3, over_minute: 2, over_hour: 1, accepted: 1, oldest_since: iso(old.sentAt) },
    ...{ watched: 1, unanswered: 1 },
  });
  const lookedAt = ago(0);
  await asSystem((tx) => tx.railLook.create({ data: { provider, lookedAt } }));
  const looked = { last_success_at: iso(lookedAt), looked_at: iso(lookedAt) };
  expect((await readFigures()).get(provider), "a look is one too").toMatchObject(looked);
  await asSystem((tx) => tx.watch.deleteMany({ where: { provider } }));
  await asSystem((tx) => tx.railLook.deleteMany({ where: { provider } }));
});
