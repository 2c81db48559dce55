import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsReadBy } from "@/lib/testing/plans";
import { listTransactions } from "@/lib/transactions/list";
import { TransactionQuery } from "@/lib/transactions/schema";

const DOCUMENT = "52998224725";
const [planId, paymentLinkId] = [newId(), newId()];

let close: () => Promise<void>;
let seller: Made;
let customer: string;
beforeAll(async () => {
  close = await openOwnDatabase();
  seller = await makeAccount();
  customer = await sell(2_000, { planId, paymentLinkId, clientDocument: DOCUMENT });
  await sell(2_000, { planId: newId(), paymentLinkId: newId(), clientDocument: "11144477735" });
  await connected(ownerUrl(), (owner) => owner.query("analyze transactions"));
});
afterAll(() => close());

/** Makes as many sales, none of them paid, and returns the id of one. */
async function sell(count: number, of: { planId: string; paymentLinkId: string; clientDocument: string }) {
  const at = new Date();
  const common = {
    accountId: seller.accountId,
    method: "pix",
    status: "failed",
    amount: 100,
    fee: 1,
    net: 99,
  } as const;
  const data = Array.from({ length: count }, () => ({ ...common, ...of, id: newId(), createdAt: at, updatedAt: at }));
  await forAccount(seller.accountId, (tx) => tx.transaction.createMany({ data }));
  return data[0]?.id ?? "";
}

/** How many sales the statement of the list's page reads. */
const readByPage = (query: object) =>
  rowsReadBy({ accountId: seller.accountId, table: "transactions", part: "to_jsonb(t)" }, async () => {
    const { data } = await listTransactions(seller.account, TransactionQuery.parse({ ...query, per_page: 20 }));
    expect(data).toHaveLength(20);
  });

test.each(["plan", "payment_link", "customer"])(
  "a page of the sales of one %s reads them alone, and no more than it shows, however many there are",
  async (name) => {
    const ids: Record<string, string> = { plan: planId, payment_link: paymentLinkId, customer };
    expect(await readByPage({ [name]: ids[name] })).toBeLessThan(60); // each in its index and as a record
  },
);
