import { afterEach, describe, expect, test } from "vitest";
import { readContext } from "@/lib/accounts/read";
import { revokeCredential } from "@/lib/credentials/revoke";
import { forAccount } from "@/lib/db";
import { type DepositRequest, requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { parseBrCode } from "@/lib/rails/pix/brcode";
import { readShares } from "@/lib/splits/read";
import { snapshotShares } from "@/lib/splits/snapshot";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { historyOf, tracesOf } from "@/lib/testing/traces";
import { Prisma } from "@/prisma/client/client";
import type { AccountStatus } from "@/prisma/client/enums";

const settings = { MIN_CASHIN: env.MIN_CASHIN, MAX_CASHIN_WITHOUT_FEE: env.MAX_CASHIN_WITHOUT_FEE };
afterEach(() => Object.assign(env, settings));

async function request({ account }: Made, body: DepositRequest = cashIn()) {
  const deposit = await requestDeposit(account, body, call());
  return deposit;
}

const saleOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

const CLIENT = { name: "Ana", cpf: "529.982.247-25", email: "Ana@Example.com", phone: "+5511987654321" };

test("a request writes a sale, its event and its webhooks' job, and moves no money", async () => {
  const seller = await makeAccount({ feeBasisPoints: 199 });
  const before = Date.now();

  const deposit = await request(
    seller,
    cashIn({ amount: 19.99, description: " Pedido 7 ", client: CLIENT, external_id: "7" }),
  );

  const sale = await saleOf(seller, deposit.identifier);
  expect(sale).toMatchObject({
    method: "pix",
    origin: "api",
    status: "pending",
    amount: 1_999n,
    fee: 40n, // 39.78 of 1.99 %
    net: 1_959n,
    description: "Pedido 7",
    externalId: "7",
    clientName: "Ana",
    clientDocument: "52998224725",
    clientEmail: "ana@example.com",
    clientPhone: "11987654321",
    pixCode: deposit.pix_code,
    txid: deposit.txid,
    endToEndId: null,
    paidAt: null,
    late: false,
  });
  expect(Number(sale.expiresAt) - Number(sale.createdAt)).toBe(24 * 60 * 60 * 1000);
  expect(Math.abs(Number(sale.createdAt) - before)).toBeLessThan(5_000);
  expect(deposit.expires_at).toBe(`${sale.expiresAt?.toISOString().slice(0, -1)}000Z`);
  expect(parseBrCode(deposit.pix_code)).toMatchObject({ amount: 1_999, txid: deposit.txid });
  expect(await historyOf(seller.accountId, deposit.identifier)).toEqual(["pending"]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, events: 1, outbox: 1, postings: 0 });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0 });
});

test("the outbox names the event by the ids that it was written with", async () => {
  const seller = await makeAccount();
  await request(seller);
  const { event, waiting } = await forAccount(seller.accountId, async (tx) => ({
    event: await tx.event.findFirstOrThrow({ where: { subject: "transaction" } }),
    waiting: await tx.outbox.findMany(),
  }));
  expect(waiting).toEqual([{ accountId: seller.accountId, eventId: event.id }]);
  expect(event).toMatchObject({ type: "transaction.created", requestId: expect.any(String) });
});

test("fee and shares are those of the moment of the request, whatever changes later", async () => {
  const [seller, first, second] = await Promise.all([
    makeAccount({ feeBasisPoints: 199 }),
    makeAccount(),
    makeAccount(),
  ]);
  const split = [
    { user_id: first.clientId, percentage: 10 },
    { user_id: second.clientId.toUpperCase(), percentage: 33 },
  ];
  const { identifier } = await request(seller, cashIn({ amount: "100.01", split }));
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { pixFeeBasisPoints: 9_000 } }),
  );
  expect(await saleOf(seller, identifier)).toMatchObject({ fee: 199n, net: 9_802n });
  expect(await forAccount(seller.accountId, (tx) => readShares(tx, [identifier]))).toMatchObject([
    { recipientId: first.accountId, basisPoints: 1_000, amount: 980, name: first.account.name },
    { recipientId: second.accountId, basisPoints: 3_300, amount: 3_235 },
  ]);
});

test("an account without a fee schedule pays no fee, and a minimum fee is never more than the amount", async () => {
  const free = await makeAccount({ feeBasisPoints: null });
  expect(await saleOf(free, (await request(free)).identifier)).toMatchObject({ fee: 0n, net: 10_000n });
  const dear = { ...(await makeAccount()) };
  dear.account = { ...dear.account, fees: { ...dear.account.fees, pix: { ...dear.account.fees.pix, minimum: 100 } } };
  expect(await saleOf(dear, (await request(dear, cashIn({ amount: 0.01 }))).identifier)).toMatchObject({
    fee: 1n,
    net: 0n,
  });
});

test("the code names the city of the account's address, shortened to fit, or São Paulo where none is known", async () => {
  const seller = await makeAccount();
  const cityOf = async (address: object | null) => {
    const where = { id: seller.accountId };
    const data = { address: address ?? Prisma.DbNull };
    await forAccount(seller.accountId, (tx) => tx.account.update({ where, data }));
    const account = await readContext(seller.accountId);
    if (!account) throw new Error("the account is gone");
    return parseBrCode((await request({ ...seller, account })).pix_code).merchantCity;
  };
  expect(await cityOf({ city: "Conceição do Mato Dentro" })).toBe("Conceicao do Ma");
  expect(await cityOf({ city: "Belém" })).toBe("Belem");
  for (const unknown of [null, {}, { city: null }, { city: " " }]) expect(await cityOf(unknown)).toBe("SAO PAULO");
});

test("a sandbox's deposit is made and expires on the sandbox's own clock", async () => {
  const seller = await makeAccount();
  const ahead = 40 * 24 * 60 * 60 * 1000;
  seller.account = { ...seller.account, clockOffsetMs: ahead };
  const sale = await saleOf(seller, (await request(seller)).identifier);
  expect(Math.abs(Number(sale.createdAt) - Date.now() - ahead)).toBeLessThan(5_000);
});

test("a hundred deposits at once have a hundred ids and txids", async () => {
  const seller = await makeAccount();
  const made = await Promise.all(Array.from({ length: 100 }, () => request(seller, cashIn({ amount: 1 }))));
  expect(new Set(made.map(({ identifier }) => identifier)).size).toBe(100);
  expect(new Set(made.map(({ txid }) => txid)).size).toBe(100);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 100, events: 100, outbox: 100 });
});

describe("refused, and nothing is left behind:", () => {
  async function expectRefusal(seller: Made, body: DepositRequest, refusal: object) {
    const before = await tracesOf(seller.accountId);
    await expect(request(seller, body)).rejects.toMatchObject(refusal);
    expect(await tracesOf(seller.accountId)).toEqual(before);
  }

  test.each<[AccountStatus, object]>([
    ["pending", { code: "account_not_approved", options: { action: "wait_for_approval" } }],
    ["suspended", { code: "account_suspended" }],
  ])("an account that is %s", async (status, refusal) => {
    const seller = await makeAccount();
    await expectRefusal({ ...seller, account: { ...seller.account, status } }, cashIn(), refusal);
  });

  test("a live account, for which no rail is configured", async () => {
    await expectRefusal(await makeAccount({ mode: "live" }), cashIn(), { code: "rail_not_configured" });
  });

  test("an amount below the platform's minimum, to the cent", async () => {
    const seller = await makeAccount();
    Object.assign(env, { MIN_CASHIN: 500 });
    await expectRefusal(seller, cashIn({ amount: 4.99 }), { code: "amount_below_minimum" });
    await request(seller, cashIn({ amount: 5 }));
  });

  test("an amount above the ceiling of accounts without fees, to the cent; those with fees have none", async () => {
    const [free, paying] = [await makeAccount({ feeBasisPoints: null }), await makeAccount()];
    Object.assign(env, { MAX_CASHIN_WITHOUT_FEE: 10_000 });
    await expectRefusal(free, cashIn({ amount: 100.01 }), {
      code: "max_cashin_without_fee",
      message: expect.stringContaining("max_cashin_without_fee"),
    });
    await request(free, cashIn({ amount: 100 }));
    await request(paying, cashIn({ amount: 100.01 }));
  });

  test.each(["http://example.com/", "https://user:pass@example.com/", "ftp://example.com/"])(
    "the callback address %s",
    async (webhook_url) => {
      await expectRefusal(await makeAccount(), cashIn({ webhook_url }), { code: "webhook_url_not_allowed" });
    },
  );

  test("a split that leaves the seller nothing", async () => {
    const [seller, recipient] = [await makeAccount(), await makeAccount()];
    const split = (...percentages: number[]) =>
      cashIn({ split: percentages.map((percentage) => ({ user_id: recipient.clientId, percentage })) });
    await expectRefusal(seller, split(100), { code: "split_exceeds_total" });
    await expectRefusal(seller, split(50, 50), { code: "split_exceeds_total" });
    await request(seller, split(50, 49));
  });

  test("a split with itself, by any of its client ids", async () => {
    const seller = await makeAccount();
    const split = [{ user_id: seller.clientId, percentage: 10 }];
    await expectRefusal(seller, cashIn({ split }), { code: "split_own_account" });
  });

  test("a recipient who is unknown, suspended, revoked or of the other mode, all with the same answer", async () => {
    const [seller, live, suspended] = await Promise.all([makeAccount(), makeAccount({ mode: "live" }), makeAccount()]);
    const left = await makeAccount();
    await revokeCredential(left.account, { id: left.clientId });
    await forAccount(suspended.accountId, (tx) =>
      tx.account.update({ where: { id: suspended.accountId }, data: { status: "suspended" } }),
    );
    for (const user_id of [newId(), live.clientId, suspended.clientId, left.clientId]) {
      await expectRefusal(seller, cashIn({ split: [{ user_id, percentage: 10 }] }), {
        code: "validation_failed",
        options: { faults: { "split.0.user_id": ["Recebedor não encontrado."] } },
      });
    }
  });

  test("a live account's split with a sandbox, and a sandbox's with a live account", async () => {
    const [live, sandbox] = [await makeAccount({ mode: "live" }), await makeAccount()];
    for (const [seller, recipient] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const shares = snapshotShares(seller.account, 100, [{ user_id: recipient.clientId, percentage: 10 }]);
      await expect(shares).rejects.toMatchObject({ options: { faults: { "split.0.user_id": expect.any(Array) } } });
    }
    const other = await makeAccount({ mode: "live" });
    const split = [{ user_id: other.clientId, percentage: 10 }];
    expect(await snapshotShares(live.account, 100, split)).toMatchObject([
      { recipientId: other.accountId, amount: 10 },
    ]);
  });
});
