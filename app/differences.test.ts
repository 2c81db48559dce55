import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { asSystem, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { makeProvider } from "@/lib/testing/providers";
import { aStaffPerson } from "@/lib/testing/staff";
import { iso } from "@/lib/time/clock";

const host = openHost(routes);
const WHY = "Depósito da própria empresa.";

/** A payment that only a PSP has. */
async function aDifference() {
  const { name: provider } = await makeProvider();
  const at = new Date();
  const times = { happenedAt: at, firstSeenAt: at, lastSeenAt: at, updatedAt: at };
  const what = { kind: "payment", fault: "missing_here", recordId: newId(), theirAmount: 700n, theirState: "done" };
  const data = { accountId: PLATFORM, id: newId(), provider, ...what, ...times };
  return asSystem((tx) => tx.reconcileDifference.create({ data }));
}
const staff = async () => ({ cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" });
const pathOf = ({ id }: { id: string }) => `/api/operator/v1/differences/${id}/close`;

test("of five who close a difference at once one does, and a look that is out of date closes nothing", async () => {
  const found = await aDifference();
  const headers = await staff();
  const body = { reason: WHY, updated_at: iso(found.updatedAt) };
  const old = { ...body, updated_at: iso(new Date(found.updatedAt.getTime() - 1)) };
  const post = (sent: object) => host.ask("POST", pathOf(found), { headers, body: sent });
  expect(await post(old)).toMatchObject({ status: 409, json: { error: "difference_changed" } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ json: { error: "invalid_transition" } });
  const list = await host.ask("GET", `/api/operator/v1/differences?status=closed&provider=${found.provider}`, {
    headers,
  });
  expect(list).toMatchObject({
    status: 200,
    json: {
      data: [{ id: found.id, provider_title: "Banco do Norte", reason: WHY, amount_there: "7.00", amount_here: null }],
    },
  });
});

test("to close one and to compare need the right, and to close one a proof just now and a reason", async () => {
  const found = await aDifference();
  const body = { reason: WHY, updated_at: iso(found.updatedAt) };
  const { userId, cookie } = await aStaffPerson(["support"]);
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const compare = { provider: found.provider, from: "2026-11-01", to: "2026-11-01" };
  const post = (sent: object) => host.ask("POST", pathOf(found), { headers, body: sent });
  const ask = (sent: object) => host.ask("POST", "/api/operator/v1/comparisons", { headers, body: sent });
  for (const answer of [await post(body), await ask(compare)])
    expect(answer).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
  await prisma().user.update({ where: { id: userId }, data: { staffRoles: ["finance"] } });
  expect(await post({ ...body, reason: " " })).toMatchObject({
    status: 422,
    json: { errors: { reason: [expect.any(String)] } },
  });
  expect(await ask({ ...compare, to: "2026-12-02" })).toMatchObject({
    status: 422,
    json: { errors: { to: [expect.any(String)] } },
  });
  expect(await ask({ ...compare, to: "2026-10-31" })).toMatchObject({
    status: 422,
    json: { errors: { to: [expect.any(String)] } },
  });
  expect(await host.ask("POST", pathOf({ id: newId() }), { headers, body })).toMatchObject({ status: 404 });
  await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });
  expect(await post(body)).toMatchObject({ status: 403, json: { error: "step_up_required" } });
  const { token } = await makeAccount();
  for (const path of ["differences", "comparisons"])
    expect(await host.ask("GET", `/api/operator/v1/${path}`, { token })).toMatchObject({ status: 401 });
});
