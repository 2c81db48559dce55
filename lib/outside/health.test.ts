import { expect, test } from "vitest";
import { asSystem } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readHealth } from "@/lib/outside/health";
import { makeAccount } from "@/lib/testing/make";

test("a provider's calls are told by kind: how many were answered, tried again, and how fast", async () => {
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
  const old = new Date(Date.now() - 2 * 3_600_000);
  const data = [made(1), made(2), made(3, { attempts: 2 }), made(null), made(9, { createdAt: old })];
  await asSystem((tx) => tx.call.createMany({ data }));
  const of = async (period: "hour" | "day") =>
    (await readHealth({ period })).data.filter((one) => one.provider === provider);
  expect(await of("hour")).toEqual([
    { provider, kind: "refund", calls: 4, answered: 3, retried: 1, p50_seconds: 2, p95_seconds: 2.9 },
  ]);
  expect(await of("day")).toMatchObject([{ calls: 5, answered: 4, p50_seconds: 2.5 }]);
  await asSystem((tx) => tx.call.deleteMany({ where: { accountId, provider } }));
});
