import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { requireContext } from "@/lib/accounts/read";
import { actAs } from "@/lib/actor";
import { asSystem } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { PLATFORM } from "@/lib/ledger/chart";
import { makeDueCalls } from "@/lib/outside/run";
import { changeProvider, connectProvider } from "@/lib/providers/connect";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCalls } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { chooseRail } from "@/lib/sellers/choose-rail";
import { serveApiPix } from "@/lib/testing/api-pix";
import { serveEfi } from "@/lib/testing/efi";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";
import { moneyArrives, unmatchedBy } from "@/lib/testing/unmatched";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import { readTimelineForStaff } from "@/lib/timeline/read";
import { transferUnmatched } from "@/lib/unmatched/transfer";

openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
type Psp = Awaited<ReturnType<typeof serveApiPix>>;
/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let [before, after]: Psp[] = [];
beforeAll(async () => {
  drop = await openOwnDatabase();
  [before, after] = [await serveApiPix(), await serveApiPix()];
  await connect("antes", before);
  await connect("depois", after);
});
afterAll(async () => {
  await Promise.all([before?.close(), after?.close()]);
  await drop();
});

function connect(name: string, { settings: { callback_secret: _, ...settings } }: Psp) {
  return actAs(STAFF, () => connectProvider({ name, title: name, ...settings }));
}

const txidOf = (identifier: string) => identifier.replaceAll("-", "");
/** A code of the account as it is now. */
const request = async ({ accountId }: Made) =>
  (await requestDeposit(await requireContext(accountId), cashIn({ amount: 100 }), call())).identifier;
const madeBy = (psp: Psp | undefined, identifier: string) => psp?.cobs.has(txidOf(identifier));
const saleOf = (id: string) => asSystem((tx) => tx.transaction.findFirstOrThrow({ where: { id } }));

async function pay(psp: Psp | undefined, identifier: string) {
  const pix = psp?.pay({ txid: txidOf(identifier) });
  if (!psp || !pix) throw new Error("no PSP");
  await psp.callBack(pix);
  await completeDuePayments();
  return pix;
}

describe("an account that changes its rail", () => {
  test("has new codes from the new one; an open code is still paid at the old one, and its refund goes back there", async () => {
    const seller = await makeAccount({ mode: "live", feeBasisPoints: 200 });
    const open = await request(seller);
    expect([madeBy(before, open), madeBy(after, open)]).toEqual([true, false]);
    await actAs(STAFF, () => chooseRail({ id: seller.accountId, provider: "depois" }));
    const next = await request(seller);
    expect([madeBy(before, next), madeBy(after, next)]).toEqual([false, true]);

    const pix = await pay(before, open);
    expect(await saleOf(open)).toMatchObject({ status: "completed", provider: "antes" });
    await pay(after, next);
    expect(await saleOf(next)).toMatchObject({ status: "completed", provider: "depois" });

    const body = RefundBody.parse({ reason: "other", amount: 40 });
    const { code } = (await requestRefund(seller.account, { ...body, id: open }, call())).data;
    await actAs(STAFF, () => approveRefund({ accountId: seller.accountId, code }, call()));
    await makeDueCalls(refundCalls);
    expect(pix.devolucoes).toMatchObject([{ id: txidOf(idOfCode(code) ?? ""), valor: "40.00" }]);
    expect(after?.asked.filter(({ path }) => path.includes("/devolucao/"))).toEqual([]);
    expect(await reconcile()).toEqual([]);
  });

  test("keeps it when the default changes, and every other account follows the default", async () => {
    const [own, other] = [await makeAccount({ mode: "live" }), await makeAccount({ mode: "live" })];
    await actAs(STAFF, () => chooseRail({ id: own.accountId, provider: "antes" }));
    const open = await request(other);
    await actAs(STAFF, () => changeProvider({ name: "depois", is_default: true }));
    const codes = [await request(own), await request(other)];
    expect(codes.map((code) => madeBy(before, code))).toEqual([true, false]);
    await pay(before, open);
    expect(await saleOf(open)).toMatchObject({ status: "completed", provider: "antes" });
    await actAs(STAFF, () => chooseRail({ id: own.accountId, provider: null }));
    expect(madeBy(after, await request(own))).toBe(true);
  });

  test("must choose one that is connected; a sandbox has no choice, and the simulator whatever is asked for", async () => {
    const [live, sandbox] = [await makeAccount({ mode: "live" }), await makeAccount()];
    const choose = (id: string, provider: string) => actAs(STAFF, () => chooseRail({ id, provider }));
    await expect(choose(live.accountId, "nenhum")).rejects.toMatchObject({ code: "provider_not_found" });
    await expect(choose(sandbox.accountId, "depois")).rejects.toMatchObject({ code: "account_not_found" });
    expect(railFor({ mode: "sandbox", pixProvider: "depois" })?.provider).toBe("simulator");
    expect(railFor({ mode: "live", pixProvider: "nenhum" })).toBeNull();
    expect(railFor({ mode: "live", pixProvider: "antes" })?.provider).toBe("antes");
    const write = asSystem((tx) =>
      tx.account.update({ where: { id: sandbox.accountId }, data: { pixProvider: "depois" } }),
    );
    await expect(write, "the database says so too").rejects.toThrow();
  });
});

describe("money that the operator moves from one PSP to another", () => {
  const heldAt = async (name: string) => {
    const where = { accountId: PLATFORM, kind: `clearing:${name}` };
    const { _sum } = await asSystem((tx) => tx.ledgerEntry.aggregate({ where, _sum: { amount: true } }));
    return -Number(_sum.amount ?? 0);
  };
  const arrives = async () => {
    const pix = after?.pay({ amount: 500_00 });
    if (!after || !pix) throw new Error("no PSP");
    await after.callBack(pix);
    await completeDuePayments();
    return unmatchedBy(pix.endToEndId);
  };
  const transfer = ({ accountId, id }: { accountId: string; id: string }, from: string) =>
    actAs(STAFF, () => transferUnmatched({ accountId, id, from, reason: "Saldo para saques." }, call()));

  test("is nobody's: the one holds less, the other more, once, also where two people say so at once", async () => {
    const was = [await heldAt("antes"), await heldAt("depois")];
    const money = await arrives();
    const both = await Promise.allSettled([transfer(money, "antes"), transfer(money, "antes")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await unmatchedBy(money.endToEndId)).toMatchObject({ status: "transferred", fromProvider: "antes" });
    expect([await heldAt("antes"), await heldAt("depois")]).toEqual([(was[0] ?? 0) - 500_00, (was[1] ?? 0) + 500_00]);
    expect(await reconcile()).toEqual([]);
  });

  test("came from another PSP that is connected, of the same mode, or it stays open", async () => {
    const money = await arrives();
    for (const from of ["depois", "nenhum"]) await expect(transfer(money, from)).rejects.toThrow();
    const sandbox = await moneyArrives();
    await expect(transfer(sandbox, "antes")).rejects.toMatchObject({ code: "validation_failed" });
    expect((await unmatchedBy(money.endToEndId)).status).toBe("open");
  });
});

describe("the PSP of payouts", () => {
  const railOf = async (id: string) => (await asSystem((tx) => tx.call.findFirstOrThrow({ where: { id } }))).provider;
  const payBy = (name: string, is_payout_default: boolean) =>
    actAs(STAFF, () => changeProvider({ name, is_payout_default }));

  test("is chosen apart from that of codes, and can be given up again", async () => {
    const efi = await serveEfi();
    const { callback_secret: _, ...settings } = efi.settings;
    await actAs(STAFF, () => connectProvider({ name: "paga", title: "paga", ...settings }));
    const seller = await makeAccount({ mode: "live" });
    await actAs(STAFF, () => chooseRail({ id: seller.accountId, provider: "antes" }));
    const ask = () => askedWithdrawal(seller, { pix_key_type: "EMAIL", pix_key: "ana@loja.example" });
    await expect(ask(), "no call of this one sends money").rejects.toMatchObject({ code: "rail_not_configured" });
    await expect(payBy("antes", true)).rejects.toMatchObject({ code: "payouts_not_offered" });
    await payBy("paga", true);
    expect(await railOf(await ask())).toBe("paga");
    expect(railFor({ mode: "live", pixProvider: "antes" })?.provider).toBe("antes");
    await payBy("paga", false);
    await expect(ask()).rejects.toMatchObject({ code: "rail_not_configured" });
    await efi.close();
  });

  test("of two that are chosen at once one stays", async () => {
    const [first, second] = [await serveEfi(), await serveEfi()];
    for (const [name, { settings }] of [["um", first] as const, ["dois", second] as const]) {
      const { callback_secret: _, ...others } = settings;
      await actAs(STAFF, () => connectProvider({ name, title: name, ...others }));
    }
    await Promise.all(["um", "dois"].map((name) => payBy(name, true)));
    const chosen = await asSystem((tx) => tx.pixProvider.findMany({ where: { isPayoutDefault: true } }));
    expect(chosen).toHaveLength(1);
    const { id } = await asSystem((tx) =>
      tx.pixProvider.findFirstOrThrow({ where: { name: chosen[0]?.name === "um" ? "dois" : "um" } }),
    );
    const { data } = await readTimelineForStaff("provider", id);
    const marks = data.map(({ changes }) => changes.map(({ name, before, after }) => [name, before, after]));
    expect(marks.slice(0, 2), "the history of the one that had it says both").toEqual([
      [["is_payout_default", expect.stringMatching(/true|sim/i), expect.stringMatching(/false|não/i)]],
      [["is_payout_default", expect.stringMatching(/false|não/i), expect.stringMatching(/true|sim/i)]],
    ]);
    await Promise.all([first.close(), second.close()]);
  });
});
