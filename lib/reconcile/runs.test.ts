import { afterAll, beforeAll, expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { runReconcile } from "@/lib/reconcile/run";
import { listReconcileRuns, RECONCILE, reconcileNow } from "@/lib/reconcile/runs";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { iso } from "@/lib/time/clock";

let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));
const job = () => prisma().timedJob.findUniqueOrThrow({ where: { name: RECONCILE } });

test("a comparison is asked for once: one that is due or under way stays as it is", async () => {
  expect(await listReconcileRuns()).toEqual({ data: [], meta: { next_at: null } });
  await asOwner(`insert into timed_jobs (name, due_at) values ('${RECONCILE}', now() + interval '5 hours')`);
  const { dueAt } = await job();
  expect(await listReconcileRuns()).toMatchObject({ meta: { next_at: iso(dueAt) } });
  await reconcileNow();
  const asked = (await job()).dueAt;
  expect(asked.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  await reconcileNow();
  expect((await job()).dueAt).toEqual(asked);
  const claimed = `due_at = now() + interval '8 s', claimed_by = '${newId()}'`;
  await asOwner(`update timed_jobs set ${claimed} where name = '${RECONCILE}'`);
  const { dueAt: lease } = await job();
  await reconcileNow();
  expect((await job()).dueAt).toEqual(lease);
  expect(await listReconcileRuns()).toMatchObject({ meta: { next_at: null } });
});

test("a comparison is kept with what it found, and also when it could not be made", async () => {
  await expect(runReconcile({ inFlightMs: -1_000 }), "no rail answers").rejects.toThrow();
  const rail = await serveRail();
  await runReconcile({ inFlightMs: -1_000 });
  const planted = "00000000-0000-7000-8000-000000000000";
  await asOwner(`set session_replication_role = replica; insert into ledger_entries
    (account_id, posting_id, type, source_id, kind, amount)
    values ('${planted}', gen_random_uuid(), 'x', gen_random_uuid(), 'fees', 5)`);
  await runReconcile({ inFlightMs: -1_000 });
  await rail.close();
  const { data } = await listReconcileRuns();
  const at = { id: expect.any(String), started_at: expect.any(String), ended_at: expect.any(String) };
  expect(data).toEqual([
    {
      ...at,
      ...{ findings: data[0]?.faults.length, failure: null },
      faults: expect.arrayContaining([{ fault: "ledger_not_zero", detail: "live: entries sum to 5" }]),
    },
    { ...at, findings: 0, faults: [], failure: null },
    { ...at, findings: 0, faults: [], failure: expect.any(String) },
  ]);
  expect(data[0]?.findings).toBeGreaterThan(0);
});
