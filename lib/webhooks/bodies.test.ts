import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { insertSales } from "@/lib/transactions/insert";
import { moveSales } from "@/lib/transactions/move";
import { renderBody } from "@/lib/webhooks/bodies";

const contracts = ["cash", "event", "legacy"] as const;

test("a body that is rendered long after its event says what was true at the event, whatever happened since", async () => {
  const { accountId } = await makeAccount();
  const id = newId();
  const bodiesOf = async (type: "transaction.created" | "transaction.updated") => {
    const event = await forAccount(accountId, (tx) => tx.event.findFirstOrThrow({ where: { subjectId: id, type } }));
    const key = { accountId, eventId: event.id, event: type };
    return Promise.all(contracts.map((contract) => renderBody({ ...key, contract })));
  };
  const purge = () => forAccount(accountId, (tx) => tx.deliveryBody.deleteMany({ where: { accountId } }));

  const amounts = { amount: 1999, fee: 119, net: 1880, shares: [] };
  const sale = { accountId, id, method: "pix", createdAt: new Date(), pixCode: "000201…", clientName: "José" } as const;
  await forAccount(accountId, (tx) => insertSales(tx, [{ ...sale, ...amounts }]));
  const created = await bodiesOf("transaction.created");

  const payer = { name: "Outra Pessoa", document: "11144477735", ispb: "12345678" };
  const payment = { endToEndId: "E12345678202601310230abcdefghijk", payer };
  const pay = { accountId, id, paidAt: new Date(), ...payment };
  await forAccount(accountId, (tx) => moveSales(tx, "pay", [pay]));
  const paid = await bodiesOf("transaction.updated");

  await forAccount(accountId, (tx) =>
    tx.transaction.update({
      where: { accountId_id: { accountId, id } },
      data: { status: "failed", clientName: "Maria", amount: 1n, endToEndId: null, updatedAt: new Date(0) },
    }),
  );
  await purge();
  expect(await bodiesOf("transaction.created")).toEqual(created);
  expect(await bodiesOf("transaction.updated")).toEqual(paid);
  for (const body of created) expect(body).not.toMatch(/completed|PAID_OUT|E12345678|Outra Pessoa|Maria/);
  for (const body of paid) expect(body).toMatch(/completed|PAID_OUT/);
  expect(paid[0]).toContain(
    '"end_to_end":"E12345678202601310230abcdefghijk","debtor_account":{"ispb":"12345678","name":"Outra Pessoa"',
  );
  expect(paid[1]).toContain('"status":"completed","previous_status":"pending"');
});
