import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { expireDeposit } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { erasePeople, listErasures, requestErasure } from "@/lib/privacy/erase";
import type { CrashPoint } from "@/lib/process/crash-points";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt } from "@/lib/testing/program";

/** A crashed process erases what is due in the whole database. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const WORKER = `import { erasePeople } from "@/lib/privacy/erase";
  while (await erasePeople());`;

test.each<[CrashPoint, left: string | null]>([
  ["erasure.batch", "ana@example.com"],
  ["erasure.ending", null],
])("a worker that dies at %s has erased whole batches, and another one ends it", async (point, left) => {
  const { account, accountId } = await makeAccount();
  const client = { name: "Ana", email: "ana@example.com", cpf: "52998224725" };
  const { identifier: id } = await requestDeposit(account, cashIn({ client }), call());
  await expireDeposit(account, { id }, call());
  const person = { document: null, email: client.email };
  await requestErasure(account, { person, askedBy: newId() });

  await crashAt(point, WORKER);

  const read = () =>
    forAccount(accountId, async (tx) => {
      const [sale] = await tx.transaction.findMany({ where: { accountId } });
      const events = await tx.event.findMany({ where: { accountId, subjectId: sale?.id ?? "" } });
      return [
        sale?.clientEmail,
        ...events.map(({ record }) => (record as { client_email?: string }).client_email ?? null),
      ];
    });
  expect(await read()).toEqual([left, left, left]);
  while (await erasePeople(accountId));
  expect(await read()).toEqual([null, null, null]);
  expect((await listErasures(accountId)).data).toMatchObject([
    { done_at: expect.any(String), erased: { sales_unpaid: 1 } },
  ]);
});
