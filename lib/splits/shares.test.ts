import { beforeAll, expect, test } from "vitest";
import { forAccount, type Tx } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { readShares } from "@/lib/splits/read";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";

let seller: Made;
let [first, second, third]: Made[] = [];
let saleId: string;

beforeAll(async () => {
  [seller, first, second, third] = (await Promise.all([1, 2, 3, 4].map(() => makeAccount()))) as [
    Made,
    Made,
    Made,
    Made,
  ];
  const split = [first, second].map(({ clientId }) => ({ user_id: clientId, percentage: 30 }));
  const deposit = await requestDeposit(seller.account, cashIn({ split }), call());
  saleId = deposit.identifier;
});

/** The recipients of the shares that an account sees, of this sale and of all sales. */
const seenBy = (made: Made | undefined) =>
  forAccount(made?.accountId ?? "", async (tx) => ({
    ofSale: (await readShares(tx, [saleId])).map(({ recipientId }) => recipientId),
    all: await tx.share.count(),
  }));

test("the seller sees every share of its sale in the agreed order, a recipient only its own, and others none", async () => {
  const [one, two] = [first?.accountId, second?.accountId];
  expect(await seenBy(seller)).toEqual({ ofSale: [one, two], all: 2 });
  expect(await seenBy(first)).toEqual({ ofSale: [one], all: 1 });
  expect(await seenBy(second)).toEqual({ ofSale: [two], all: 1 });
  expect(await seenBy(third)).toEqual({ ofSale: [], all: 0 });
});

test("a recipient who sees its share does not see the sale", async () => {
  expect(await forAccount(first?.accountId ?? "", (tx) => tx.transaction.count())).toBe(0);
});

test("a share can be changed or deleted neither by its seller, nor by its recipient, nor by the system", async () => {
  for (const scope of [seller.accountId, first?.accountId ?? "", "*"]) {
    const attempt = (change: (tx: Tx) => Promise<unknown>) => forAccount(scope, change);
    const denied = /permission denied for table shares/;
    await expect(attempt((tx) => tx.$executeRaw`update shares set amount = amount + 1`)).rejects.toThrow(denied);
    await expect(attempt((tx) => tx.$executeRaw`delete from shares`)).rejects.toThrow(denied);
    await expect(attempt((tx) => tx.$executeRaw`truncate shares`)).rejects.toThrow(denied);
  }
});

test("a share is of its account's own sale: nobody cuts a share out of another's", async () => {
  const cut = (tx: Tx) =>
    tx.share.create({
      data: {
        ...{ id: newId(), accountId: third?.accountId ?? "", transactionId: saleId, place: 7 },
        ...{ recipientId: third?.accountId ?? "", name: "", basisPoints: 5_000, amount: 5_000n },
      },
    });
  await expect(forAccount(third?.accountId ?? "", cut)).rejects.toThrow(/[Ff]oreign key/);
});

test("a recipient cannot give itself a share of another's sale", async () => {
  const forged = (tx: Tx) =>
    tx.share.create({
      data: {
        ...{ id: newId(), accountId: seller.accountId, transactionId: newId(), place: 0 },
        ...{ recipientId: third?.accountId ?? "", name: "", basisPoints: 1, amount: 1n },
      },
    });
  await expect(forAccount(third?.accountId ?? "", forged)).rejects.toThrow(/row-level security/);
});
