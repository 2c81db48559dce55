import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { requireContext } from "@/lib/accounts/read";
import { roles, type Scope, staffRoles } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { asSystem, forAccount, prisma, transactionFor } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { addDomain } from "@/lib/public-keys/domains";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { InviteInput } from "@/lib/splits/schema";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { changeRole } from "@/lib/team/change-role";
import { aPayer, makeLink, payAs } from "@/lib/testing/checkout";
import { disputed, disputesOf } from "@/lib/testing/disputes";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { makeProvider } from "@/lib/testing/providers";
import { aStaffPerson, cookieOf } from "@/lib/testing/staff";
import { anActive, enrolledByCard, aPlan as flatPlan } from "@/lib/testing/subscriptions";
import { aMember, makeTeam } from "@/lib/testing/team";
import { unmatchedBy } from "@/lib/testing/unmatched";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import { receiveUnmatched } from "@/lib/unmatched/receive";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, deliverOnce, dispatchEvent, happen, receiver } from "@/lib/webhooks/testing";
import type { Role, StaffRole } from "@/prisma/client/enums";

const host = openHost(routes);
/** A file that somebody sent is given whole or not at all. */
const reads = operationsOf(routes).filter(({ method, contract }) => method === "GET" && !contract.attachment);

/** Who is known in the account: their documents, e-mails and phones as they are stored, and as people write them. */
const person = { name: "Ana Prado", email: "ana.prado@example.com", document: "39053344705", phone: "11912345678" };
const recipient = "recebedor@example.com";
const secrets = [
  ...[person.email, person.document, "390.533.447-05", person.phone, "(11) 91234-5678"],
  ...[aPayer.email, "52998224725", aPayer.document, "11987654321", aPayer.phone, recipient],
];

/** A PSP that nobody reaches, which is gone before anybody compares it with our books. */
let provider: Awaited<ReturnType<typeof makeProvider>> | undefined;
const aProvider = async () => {
  provider = await makeProvider();
  return provider;
};
afterAll(() => asSystem((tx) => tx.pixProvider.deleteMany({ where: { name: provider?.name ?? "" } })));

type Params = Record<string, string>;
let made: Made;
let world: Record<string, Params[]>;

/** An account in which every noun names a person: what each parameter of a path can name in it. */
async function aWorld(): Promise<Record<string, Params[]>> {
  const { account, accountId } = made;
  const echo = await receiver({ status: 500, body: `got ${JSON.stringify(person)} of ${person.phone}` });
  const hook = await createWebhook(
    account,
    WebhookInput.parse({ title: "Loja", url: echo.url, event: "transaction" }),
    call(),
  );
  const product = (await createProduct(account, ProductInput.parse({ name: "Clube" }), call())).data.reference_id;
  const plan = await flatPlan(made, {}, product);
  const { identifier: sale } = await requestDeposit(
    account,
    cashIn({ client: { ...person, cpf: person.document } }),
    call(),
  );
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id: sale, payer: person }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  await dispatchEvent(await happen({ accountId, id: sale }, "completed"));
  const deliveries = await deliveriesOf(accountId);
  for (const { id } of deliveries) await deliverOnce({ accountId, deliveryId: id });
  await echo.close();
  const refund = await requestRefund(
    account,
    { ...RefundBody.parse({ reason: "other", amount: "1.00", reason_details: `Pedido de ${person.email}` }), id: sale },
    call(),
  );
  const withdrawal = await askedWithdrawal(made, {
    ...{ pix_key_type: "EMAIL", pix_key: person.email, document: { type: "CPF", number: person.document } },
  });
  const disputedSale = await requestDeposit(account, cashIn({ client: { ...person, cpf: person.document } }), call());
  const payment = await simulatePayment(account, { id: disputedSale.identifier, payer: person }, call());
  await completeDeposit({ provider: "simulator", endToEndId: payment.end_to_end_id });
  await disputed(made, disputedSale.identifier);
  const dispute = (await disputesOf(made))[0]?.code ?? "";
  const link = await makeLink(made);
  await payAs(link);
  const subscription = await anActive(made, plan, person);
  const byCard = await enrolledByCard(made, await flatPlan(made, { billing_method: "credit_card" }), undefined, person);
  const invite = { ...InviteInput.parse({ email: recipient, percentage: 10 }), planId: plan };
  const split = await inviteToPlan(account, invite, call());
  const credential = await createCredential(await requireContext(accountId), { name: "Teste" }, call());
  const domain = await addDomain({ id: accountId }, { origin: "https://loja.example" }, call());
  const clock = newId();
  const data = { accountId, id: clock, target: new Date(), doneAt: new Date() };
  await forAccount(accountId, (tx) => tx.clockAdvance.create({ data }));
  const came = { provider: "simulator", endToEndId: newId(), amount: 100, mode: "sandbox", method: "pix" } as const;
  const money = { ...came, reason: "already_paid", sale: { accountId, id: sale }, payer: person } as const;
  await transactionFor([accountId, platforms.sandbox], (query) => receiveUnmatched(query, [money]));
  const code = refund.data.code;
  const webhook = String(hook.id);
  const subjects = {
    ...{ transaction: sale, refund: code, dispute, subscription, payment_link: link, product, webhook },
  };
  return {
    "/transaction/[identifier]": [{ identifier: sale }],
    "/transactions/[reference_id]": [{ reference_id: sale }],
    "/dashboard/v1/transactions/[id]": [{ id: sale }],
    "/refunds/[code]": [{ code }],
    "/withdrawals/[id]": [{ id: withdrawal }],
    "/partner/v1/pix-keys/owner": [{ type: "EMAIL", key: person.email }],
    "/disputes/[code]": [{ code: dispute, id: newId() }],
    "/timeline/[subject]/[id]": Object.entries(subjects).map(([subject, id]) => ({ subject, id })),
    "/products/[reference_id]": [{ reference_id: product, plan_token: plan }],
    "/subscription-plans/[token]": [{ token: plan }],
    "/subscriptions/[token]": [{ token: subscription }, byCard],
    "/subscription-splits/[id]": [{ id: String(split.data.id) }],
    "/payment-links/[token]": [{ token: link }],
    "/events/[event_id]": [{ event_id: deliveries[0]?.eventId ?? "" }],
    "/webhooks/[id]": [{ id: webhook, delivery_id: deliveries[0]?.id ?? "" }],
    "/credentials/[id]": [{ id: credential.data.client_id }],
    "/account/documents/[id]": [{ id: newId() }],
    "/domains/[id]": [{ id: domain.data.id }],
    "/clock/advance/[id]": [{ id: clock }],
    "/subscriptions/[token]/change-plan/preview": [
      { token: subscription, new_plan_token: await flatPlan(made, { amount: "60.00" }, product) },
    ],
    "/operator/v1/accounts": [{ search: made.email }],
    "/operator/v1/mails": [{ search: person.email }],
    "/operator/v1/accounts/[id]": [{ id: await liveIdOf(accountId) }],
    "/operator/v1/accounts/[id]/": [
      { id: accountId, sale, code, withdrawal, subject: "transaction", record: sale },
      { id: accountId, sale, code, withdrawal, subject: "refund", record: code, document: newId() },
      { id: accountId, sale, code, withdrawal, subject: "dispute", record: dispute, document: newId() },
    ],
    "/operator/v1/unmatched": [{ mode: "sandbox" }],
    "/operator/v1/accounts/[id]/unmatched/[receipt]": [
      { id: accountId, receipt: (await unmatchedBy(came.endToEndId)).id },
    ],
    "/operator/v1/accounts/[id]/disputes/[code]": [{ id: accountId, code: dispute, file: newId() }],
    "/operator/v1/pix-providers/[name]": [{ name: (await aProvider()).name }],
    "/operator/v1/mails/[id]": [
      {
        id:
          (
            await prisma().$queryRaw<{ id: string }[]>`
      with scope as materialized (select set_config('app.accounts', '*', true))
      select id from scope, mails where recipient = ${person.email} limit 1`
          )[0]?.id ?? "",
      },
    ],
    "/operator/v1/timeline/[subject]/[id]": [{ subject: "account", id: accountId }],
  };
}

const liveIdOf = async (accountId: string) =>
  (await prisma().membership.findFirstOrThrow({ where: { sandboxId: accountId } })).accountId;

beforeAll(async () => {
  made = await makeAccount({ available: 10_000 });
  world = await aWorld();
}, 60_000);

function paramsOf(path: string): Params[] {
  if (!path.includes("[")) return world[path.replace("/api", "")] ?? [{}];
  const known = Object.keys(world).filter((part) => path.includes(part));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  if (!longest) throw new Error(`Say above what ${path} names`);
  return world[longest] ?? [];
}

/** A session of a person of the account, with this role. */
async function signedIn(role: Role) {
  const { accountId } = made;
  const { userId } = await prisma().membership.findFirstOrThrow({
    where: { OR: [{ accountId }, { sandboxId: accountId }] },
  });
  await prisma().membership.updateMany({ where: { userId }, data: { role } });
  return { cookie: await cookieOf(userId, accountId), "x-account": accountId };
}

async function staff(staffRoles: StaffRole[]) {
  const { userId, cookie } = await aStaffPerson();
  await prisma().user.update({ where: { id: userId }, data: { staffRoles } });
  return { cookie };
}

type Seen = { path: string; status: number; whole: string[] };

/** What of the known values each route shows whole to whoever has these headers. */
async function walk(operations: typeof reads, headers: Record<string, string>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { path, contract } of operations) {
    for (const params of paramsOf(path)) {
      for (const query of [
        `?${new URLSearchParams({ ...params, per_page: "100" })}`,
        ...(contract.csv ? ["?format=excel"] : []),
      ]) {
        const { status, text } = await host.ask("GET", fill(path, (name) => params[name] ?? "") + query, { headers });
        seen.push({ path, status, whole: [...secrets, made.email].filter((secret) => text.includes(secret)) });
      }
    }
  }
  return seen;
}

const ofSellers = reads.filter(({ contract }) => ["account", "session"].includes(contract.auth ?? "account"));
const ofStaff = reads.filter(({ contract }) => contract.auth === "staff");
const exposed = (seen: Seen[]) => seen.filter(({ whole }) => whole.length > 0);
const paths = (seen: Seen[]) => [...new Set(exposed(seen).map(({ path }) => path.replace("/api/", "")))].sort();

test.each<Role>(["viewer", "developer"])("a %s reads no document, e-mail or phone whole by any route", async (role) => {
  const seen = await walk(ofSellers, await signedIn(role));
  expect(exposed(seen)).toEqual([]);
  const may = (scopes: readonly Scope[] = []) => scopes.every((scope) => roles[role].includes(scope));
  const refused = ofSellers.filter(({ contract }) => !may(contract.scopes)).map(({ path }) => path);
  const ofLive = ofSellers
    .filter(({ contract }) => contract.errors?.includes("account_not_live"))
    .map(({ path }) => path);
  const answerOf = (path: string) => (refused.includes(path) ? 403 : ofLive.includes(path) ? 422 : 200);
  const unanswered = seen.filter(({ path, status }) => status !== answerOf(path));
  expect(unanswered, "a route that was not answered shows nothing either").toEqual([]);
});

test.each<Role>(["owner", "finance"])("a %s reads them whole, wherever a viewer does not", async (role) => {
  const seen = await walk(ofSellers, await signedIn(role));
  expect(paths(seen)).toMatchInlineSnapshot(`
    [
      "dashboard/v1/account",
      "dashboard/v1/audit",
      "dashboard/v1/audit/export",
      "dashboard/v1/refunds/[code]",
      "dashboard/v1/team",
      "dashboard/v1/timeline/[subject]/[id]",
      "dashboard/v1/transactions/[id]",
      "dashboard/v1/withdrawals/[id]",
      "partner/v1/disputes",
      "partner/v1/disputes/[code]",
      "partner/v1/pix-keys/owner",
      "partner/v1/products/[reference_id]/subscription-plans",
      "partner/v1/profile",
      "partner/v1/refunds",
      "partner/v1/refunds/[code]",
      "partner/v1/subscribers",
      "partner/v1/subscription-plans",
      "partner/v1/subscription-plans/[token]",
      "partner/v1/subscription-plans/[token]/splits",
      "partner/v1/subscription-plans/[token]/subscribers",
      "partner/v1/subscription-splits",
      "partner/v1/subscriptions",
      "partner/v1/subscriptions/[token]",
      "partner/v1/withdrawals",
      "partner/v1/withdrawals/[id]",
      "partner/v2/transactions",
      "partner/v2/transactions/[reference_id]",
      "partner/v2/transactions/export",
    ]
  `);
});

test("of the staff support reads none whole by any route, and finance does", async () => {
  const may = staffRoles.support;
  const open = ofStaff.filter(({ contract: { staffScope } }) => !staffScope || may.includes(staffScope));
  const bySupport = await walk(open, await staff(["support"]));
  expect(bySupport.filter(({ status }) => status !== 200)).toEqual([]);
  expect(exposed(bySupport)).toEqual([]);
  expect(paths(await walk(ofStaff, await staff(["finance"])))).toMatchInlineSnapshot(`
    [
      "operator/v1/accounts",
      "operator/v1/accounts/[id]",
      "operator/v1/accounts/[id]/audit",
      "operator/v1/accounts/[id]/audit/export",
      "operator/v1/accounts/[id]/disputes/[code]",
      "operator/v1/accounts/[id]/refunds/[code]",
      "operator/v1/accounts/[id]/timeline/[subject]/[record]",
      "operator/v1/accounts/[id]/transactions",
      "operator/v1/accounts/[id]/transactions/[sale]",
      "operator/v1/accounts/[id]/unmatched/[receipt]",
      "operator/v1/accounts/[id]/withdrawals/[withdrawal]",
      "operator/v1/mails",
      "operator/v1/mails/[id]",
      "operator/v1/unmatched",
    ]
  `);
});

test("a program reads them whole, because the published interface has them", async () => {
  const { text } = await host.ask("GET", "/api/partner/v2/transactions", { token: made.token });
  expect(text).toContain(person.document);
});

test("a program reads them as whoever made its key does, on a live account; its role's mask goes with the role", async () => {
  const team = await makeTeam();
  const { account, accountId, sandboxId, ownerId } = team;
  const developer = await aMember(team, "developer");
  for (const id of [accountId, sandboxId]) {
    const sale = {
      accountId: id,
      id: newId(),
      amount: 100n,
      fee: 0n,
      net: 100n,
      createdAt: new Date(),
      updatedAt: new Date(),
    };
    const client = { clientName: person.name, clientEmail: person.email, clientDocument: person.document };
    await forAccount(id, (tx) => tx.transaction.create({ data: { ...sale, ...client, method: "pix" } }));
  }
  const makerOf = (userId: string, role: Role) => ({ userId, role, scopes: roles[role], liveId: accountId });
  const keyOf = (at: typeof account, maker: ReturnType<typeof makerOf> | { clientId: string }, scopes?: Scope[]) => {
    const by = "role" in maker ? maker : { ...maker, role: null, scopes: roles.developer };
    return createCredential(at, { name: "Loja", maker: by, ...(scopes && { scopes }) }, call());
  };
  type Key = Awaited<ReturnType<typeof keyOf>>["data"];
  const seen = async ({ client_id, client_secret }: Key) => {
    const { access_token: token } = await mintToken({ client_id, client_secret, ip: "127.0.0.1" });
    const { status, text } = await host.ask("GET", "/api/partner/v2/transactions", { token });
    return [status, text.includes(person.email), text.includes(person.document)];
  };
  const { data: following } = await keyOf(account, makerOf(developer, "developer"));
  const { data: listed } = await keyOf(account, makerOf(developer, "developer"), [
    "transactions:read",
    "credentials:write",
  ]);
  const { data: child } = await keyOf(account, { clientId: listed.client_id }, ["transactions:read"]);
  for (const key of [following, listed, child]) expect(await seen(key)).toEqual([200, false, false]);
  const sandbox = await requireContext(sandboxId);
  const { data: tried } = await keyOf(sandbox, makerOf(developer, "developer"));
  const { data: own } = await keyOf(account, makerOf(ownerId, "owner"));
  for (const key of [tried, own]) expect(await seen(key)).toEqual([200, true, true]);
  expect([following.is_masked, own.is_masked]).toEqual([true, false]);

  await changeRole(account, { by: { liveId: accountId, userId: ownerId }, id: developer, role: "admin" });
  expect(await seen(following)).toEqual([200, true, true]);
  expect(await seen(listed), "what was listed stays as it was made").toEqual([200, false, false]);
});

test("a viewer who typed a whole document or e-mail finds who has it, masked", async () => {
  const headers = await signedIn("viewer");
  for (const search of [person.document, "390.533.447-05", person.email]) {
    const { json, text } = await host.ask("GET", `/api/partner/v2/transactions?search=${search}`, { headers });
    expect(json).toMatchObject({ meta: { total: expect.any(Number) } });
    expect((json.data as unknown[]).length).toBeGreaterThan(0);
    expect(text).not.toContain(person.email);
    expect(text).toContain("a***@example.com");
  }
});

test("an answer is kept under its key whole, so that whoever may see it whole gets it so", async () => {
  const [key, body] = [newId(), { email: "outro@example.com", percentage: 5 }];
  const ask = async (role: Role) => {
    const headers = { ...(await signedIn(role)), "sec-fetch-site": "same-origin" };
    const path = `/api/partner/v1/subscription-plans/${world["/subscription-plans/[token]"]?.[0]?.token}/splits`;
    return host.ask("POST", path, { body, key, headers });
  };
  const [first, again] = [await ask("developer"), await ask("finance")];
  expect([first.status, first.text.includes(body.email)]).toEqual([201, false]);
  expect([again.status, again.headers.get("idempotency-replayed"), again.text.includes(body.email)]).toEqual([
    ...[201, "true", true],
  ]);
});
