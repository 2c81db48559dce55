import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { asSystem, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { makeDueCalls } from "@/lib/outside/run";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { balances } from "@/lib/testing/refunds";
import { aStaffPerson } from "@/lib/testing/staff";
import { advance } from "@/lib/testing/subscriptions";
import { again, moneyArrives } from "@/lib/testing/unmatched";
import { returnCalls } from "@/lib/unmatched/call";
import { returnDue } from "@/lib/unmatched/return-due";
import type { UnmatchedReceipt } from "@/prisma/client/client";

openRail();
const host = openHost(routes);
const pathOf = ({ accountId, id }: Pick<UnmatchedReceipt, "accountId" | "id">) =>
  `/api/operator/v1/accounts/${accountId}/unmatched/${id}`;
const WHY = "O cliente mandou o comprovante.";

/** The headers of a new person of the operator's staff. */
const staff = async () => ({ cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" });

test("a match is made once under its key, also five times at once, and the seller reads the line in the statement", async () => {
  const seller = await makeAccount({ feeBasisPoints: 200 });
  const { identifier: transaction } = await requestDeposit(seller.account, cashIn(), call());
  const money = await moneyArrives();
  const headers = { ...(await staff()), "idempotency-key": newId() };
  const body = { transaction, reason: WHY };
  const post = () => host.ask("POST", `${pathOf(money)}/match`, { headers, body });
  const answers = await Promise.all(Array.from({ length: 5 }, post));
  for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
  expect(answers[0]?.json).toMatchObject({ data: { status: "matched", matched_transaction: transaction } });
  expect(await balances(seller)).toEqual([9_800, 0, 0]);
  const other = await host.ask("POST", `${pathOf(money)}/match`, { headers, body: { ...body, reason: "Outro." } });
  expect(other).toMatchObject({ status: 422, json: { error: "idempotency_key_reused" } });
  const statement = await host.ask("GET", "/api/partner/v1/statement", { token: seller.token });
  expect(statement).toMatchObject({ status: 200, json: { data: [{ type: "unmatched_matched", amount: "98.00" }] } });
});

test("a return is answered alike under its key, also once its money is on its way", async () => {
  const money = await moneyArrives();
  const headers = { ...(await staff()), "idempotency-key": newId() };
  const post = () => host.ask("POST", `${pathOf(money)}/return`, { headers, body: { reason: WHY } });
  const first = await post();
  expect(first).toMatchObject({ status: 200, json: { data: { status: "returning" } } });
  const { returnId } = await again(money);
  await makeDueCalls(returnCalls);
  expect(await post()).toMatchObject({ status: 200, text: first.text });
  expect((await again(money)).returnId).toBe(returnId);
});

test.each(["match", "credit", "return"])("to %s needs the right, a proof just now, and a reason", async (deed) => {
  const money = await moneyArrives();
  const body = { transaction: newId(), account: newId(), reason: WHY };
  const post = (headers: object, sent: object = body) =>
    host.ask("POST", `${pathOf(money)}/${deed}`, {
      headers: { "sec-fetch-site": "same-origin", ...headers },
      body: sent,
    });
  const { userId, cookie } = await aStaffPerson(["support"]);
  expect(await post({ cookie })).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
  await prisma().user.update({ where: { id: userId }, data: { staffRoles: ["finance"] } });
  expect(await post({ cookie }, { ...body, reason: " " })).toMatchObject({
    status: 422,
    json: { errors: { reason: [expect.any(String)] } },
  });
  await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });
  expect(await post({ cookie })).toMatchObject({ status: 403, json: { error: "step_up_required" } });
  expect(await post({})).toMatchObject({ status: 401 });
  const unknown = { headers: await staff(), body };
  for (const path of [
    pathOf({ accountId: newId(), id: money.id }),
    pathOf({ accountId: platforms.live, id: money.id }),
  ])
    expect(await host.ask("POST", `${path}/${deed}`, unknown)).toMatchObject({ status: 404 });
  expect(await again(money)).toMatchObject({ status: "open", decidedAt: null });
});

test("one is read with the sales that it may be for, the list says what waits, and who is no staff reads neither", async () => {
  const seller = await makeAccount();
  const { identifier } = await requestDeposit(seller.account, cashIn({ amount: 77.13 }), call());
  const money = await moneyArrives({ amount: 7_713 });
  const headers = await staff();
  expect(await host.ask("GET", pathOf(money), { headers })).toMatchObject({
    status: 200,
    json: { data: { status: "open", account: null, candidates: [{ reference_id: identifier, amount: "77.13" }] } },
  });
  const list = await host.ask("GET", "/api/operator/v1/unmatched?mode=sandbox&search=77,13", { headers });
  expect(list).toMatchObject({ status: 200, json: { data: [{ id: money.id }], meta: { total: 1 } } });
  for (const path of [pathOf(money), "/api/operator/v1/unmatched", "/api/operator/v1/queue"]) {
    expect(await host.ask("GET", path, { token: seller.token })).toMatchObject({ status: 401 });
  }
  expect(await host.ask("GET", "/api/operator/v1/unmatched?mode=all", { headers })).toMatchObject({ status: 422 });
});

test("a sandbox's clock is held up by nothing that waits for a person", async () => {
  const seller = await makeAccount();
  const { identifier } = await requestDeposit(seller.account, cashIn(), call());
  const pay = async (body: object) => {
    const path = `/api/partner/v1/sandbox/pix/${identifier}/pay`;
    const { status, json } = await host.ask("POST", path, { token: seller.token, body });
    const { end_to_end_id: endToEndId } = json as { end_to_end_id?: string };
    if (endToEndId) await completeDeposit({ provider: "simulator", endToEndId });
    return status;
  };
  const answers = [await pay({ amount: 17.71 }), await pay({}), await pay({}), await pay({ again: true })];
  expect(answers).toEqual([200, 200, 409, 200]);
  while (await returnDue());
  await advance(seller, 1); // the calls of both returns are made on the way
  const began = performance.now();
  await advance(seller, 2);
  expect(performance.now() - began, "one of them is open for a person").toBeLessThan(15_000);
  const { accountId } = seller;
  const came = await asSystem((tx) =>
    tx.unmatchedReceipt.findMany({ where: { accountId }, orderBy: { amount: "asc" } }),
  );
  expect(came.map(({ reason, status }) => [reason, status])).toEqual([
    ["amount_differs", "open"],
    ["already_paid", "returned"],
  ]);
});
