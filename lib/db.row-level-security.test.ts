import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { countStored, flushStored } from "@/lib/accounts/storage";
import { postAdjustment } from "@/lib/adjustments/post";
import { tokenizeCard } from "@/lib/card-tokens/tokenize";
import { asSystem, forAccount, pool, type Tx, transactionOverAll } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { writeMail } from "@/lib/mail/write";
import { beginCall } from "@/lib/outside/calls";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { requestErasure } from "@/lib/privacy/erase";
import { createProduct } from "@/lib/products/create";
import { setImage } from "@/lib/products/image";
import { ProductInput } from "@/lib/products/schema";
import { addDomain } from "@/lib/public-keys/domains";
import { InviteInput } from "@/lib/splits/schema";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { enroll } from "@/lib/subscriptions/enroll";
import { makeLink } from "@/lib/testing/checkout";
import { aMail, mailsOf } from "@/lib/testing/mails";
import { call, cashIn, fund, type Made, makeAccount } from "@/lib/testing/make";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { pictures } from "@/lib/testing/pictures";
import { aCard, SHOP } from "@/lib/testing/shop";
import { somebody } from "@/lib/testing/subscriptions";
import { createWebhook } from "@/lib/webhooks/create";
import { replayWebhook } from "@/lib/webhooks/replay";
import { rotateSecret } from "@/lib/webhooks/rotate";
import { ReplayInput, WebhookInput } from "@/lib/webhooks/schema";
import { dispatchEvent, happen } from "@/lib/webhooks/testing";

/**
 * Tables that are read before an account is known, or that belong to no account. Every other table must have row-level
 * security.
 */
const WITHOUT_POLICY = [
  "_prisma_migrations", // the program has no right to it at all
  "access_tokens", // a token names the account
  "audit_publications", // one of all accounts
  "audit_walks", // after which event of all accounts a walk goes on
  "callbacks", // a provider knows no account of ours
  "credentials", // a client id, a secret or an API key names the account
  "known_devices", // read at sign-in
  "mail_links", // a link is opened by whoever has no account yet, or has forgotten the password
  "memberships", // read at sign-in
  "payout_stops", // where the operator stopped payouts
  "pix_providers", // of all accounts together
  "provider_pauses", // of all accounts together
  "provider_tokens", // of all accounts together
  "public_keys", // a public key names the account
  "rail_comparisons", // of all accounts together
  "rail_looks", // up to when a rail was looked at, whosever its payments are
  "rate_limits", // it also counts callers whose account is not known yet
  "reconcile_runs", // of all accounts together
  "recovery_codes", // read at sign-in
  "sessions", // a session names the account
  "simulator_card_refunds", // the simulated acquirer's records
  "simulator_chargebacks",
  "simulator_charges",
  "simulator_cobrs", // the simulated PSP's records
  "simulator_cobs",
  "simulator_devolucoes",
  "simulator_infractions",
  "simulator_orders", // the simulated tracking service's records
  "simulator_payout_returns",
  "simulator_payouts",
  "simulator_pix",
  "simulator_recs",
  "team_invitations", // a link is opened by whoever has no account yet
  "timed_jobs", // what workers run at certain times, for all accounts
  "users", // read at sign-in
  "watches", // a provider knows no account of ours
];

type Table = { name: string; secured: boolean; forced: boolean; scoped: boolean; owner: string; kind: string };

/** Everything in the catalogue that rows can be read from. */
async function tables(): Promise<Table[]> {
  const { rows } = await pool().query<Table>(
    `select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced, c.relkind::text as kind,
       pg_get_userbyid(c.relowner) as owner,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not attisdropped)
         as scoped
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
     order by c.relname`,
  );
  return rows;
}

const securedTables = async () => (await tables()).filter((table) => table.secured);

/** Every table's rows of one account, as the program sees them when `scope` is set. */
async function countRows(scope: string | null, accountId?: string): Promise<Record<string, number>> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    if (scope !== null) await client.query("select set_config('app.accounts', $1, true)", [scope]);
    const counts: Record<string, number> = {};
    for (const { name, scoped } of await securedTables()) {
      const whose = accountId ? `where ${scoped ? "account_id" : "id"} = '${accountId}'` : "";
      const { rows } = await client.query<{ count: string }>(`select count(*) from "${name}" ${whose}`);
      counts[name] = Number(rows[0]?.count);
    }
    return counts;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Of shares and of a plan's splits the recipient may read its own too (lib/splits/, lib/subscription-splits/). */
const isOneSided = ({ name }: Pick<Table, "name">) => !["shares", "plan_splits"].includes(name);

const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

let a: Made;
let b: Made;

/** An account with at least one row in every table that has row-level security. */
async function makeBusyAccount(): Promise<Made> {
  const made = await makeAccount({ available: 500 });
  const { account, accountId } = made;
  const idem = { accountId, key: newId(), requestHash: sha256("x"), render: () => ({ status: 200, body: "{}" }) };
  const split = [{ user_id: (await makeAccount()).clientId, percentage: 10 }];
  const deposit = await requestDeposit(account, cashIn({ split }), { ...call(), idem });
  await postAdjustment({ accountId, direction: "credit", amount: 1, reason: "Taxa errada." }, call());
  await requestErasure(account, { person: { document: null, email: "ana@example.com" }, askedBy: newId() });
  const input = { title: "Loja", url: "http://localhost:9/", event: "transaction" };
  const { id: webhook } = await createWebhook(account, WebhookInput.parse(input), call());
  await rotateSecret(account, { id: String(webhook), immediately: false }, call());
  const replay = ReplayInput.parse({ from: "2026-01-01", to: "2026-12-31" });
  await replayWebhook(account, { ...replay, id: String(webhook) }, call());
  await dispatchEvent(await happen({ accountId, id: deposit.identifier }, "pending"));
  await vi.waitFor(async () => {
    await foldTails();
    expect(await forAccount(accountId, (tx) => tx.ledgerSnapshot.count())).toBeGreaterThan(0);
  });
  countStored(accountId, 1);
  await flushStored();
  await forAccount(accountId, async (tx) => {
    const { id: eventId } = await tx.event.findFirstOrThrow();
    await tx.outboxOfConsumer.create({ data: { consumer: "nobody", accountId, eventId } });
  });
  await addDomain({ id: accountId }, { origin: SHOP }, call());
  const { data: product } = await createProduct(account, ProductInput.parse({ name: "Clube" }), call());
  await setImage(account, { id: product.reference_id, file: pictures.png }, call());
  const plan = PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method: "qr_code" });
  const { data: priced } = await createPlan(account, { ...plan, productId: product.reference_id }, call());
  const invited = InviteInput.parse({ email: "ana@example.com", percentage: 10 });
  await inviteToPlan(account, { ...invited, planId: priced.token }, call());
  await makeLink(made);
  await enroll(account, { ...somebody(), planId: priced.token }, call());
  await tokenizeCard({ id: accountId }, aCard());
  await forAccount(accountId, async (tx) => {
    await keepCard(tx, accountId);
    await writeMail(tx, aMail({ accountId, mode: "sandbox" }));
    const delivery = await tx.delivery.findFirstOrThrow({ where: { accountId } });
    const attempt = { id: newId(), accountId, deliveryId: delivery.id, attempt: 1, durationMs: 1 };
    await tx.deliveryAttempt.create({ data: attempt });
    const counted = { accountId, basis: "created", day: new Date(), method: "pix", status: "pending" } as const;
    await tx.rollup.create({ data: { ...counted, number: 1, gross: 1, net: 1 } });
    const earned = { accountId, id: newId(), sellerId: newId(), transactionId: newId(), method: "pix" } as const;
    await tx.earning.create({ data: { ...earned, basisPoints: 1, amount: 1, paidAt: new Date() } });
    const month = { accountId, month: new Date(), sellerId: newId(), planId: newId() };
    await tx.earningTotal.create({ data: { ...month, number: 1, amount: 1 } });
    const day = { createdAt: new Date(), updatedAt: new Date() };
    await tx.mandate.create({
      data: { accountId, id: newId(), subscriptionId: newId(), provider: "simulator", ...day },
    });
    await tx.auditMark.create({ data: { accountId, sequence: 1, hash: Buffer.alloc(32), publicationId: newId() } });
    await tx.$queryRaw`select busy_event_id from events e
      cross join lateral audit_link(array[e.account_id], array[e.id]) where e.account_id = ${accountId}::uuid`;
    const seen = { happenedAt: new Date(), firstSeenAt: new Date(), lastSeenAt: new Date(), updatedAt: new Date() };
    const differs = { provider: "psp", kind: "payment", fault: "missing_here", recordId: newId() };
    await tx.reconcileDifference.create({ data: { accountId, id: newId(), ...differs, ...seen } });
    const bytes = new Uint8Array(1);
    const kept = { accountId, createdAt: new Date() };
    await tx.accountImage.create({ data: { ...kept, id: newSecret(), contentType: "image/png", bytes } });
    const document = {
      id: newId(),
      kind: "company",
      contentType: "image/png",
      size: 1,
      wrappedKey: bytes,
      bytes,
    } as const;
    await tx.accountNote.create({ data: { accountId, id: newId(), text: "-", writtenBy: newId() } });
    await tx.accountLook.create({ data: { accountId, userId: newId(), day: new Date() } });
    await tx.accountDocument.create({ data: { ...kept, ...document } });
    await tx.profileRequest.create({ data: { ...kept, id: newId(), name: "Loja" } });
    await tx.clockAdvance.create({ data: { accountId, id: newId(), target: new Date(), doneAt: new Date() } });
    const [refundId, asked] = [newId(), { mode: "sandbox", status: "cancelled", reason: "other" } as const];
    const amounts = { amount: 1, fee: 0, pendingAmount: 0 };
    await tx.refund.create({
      data: { accountId, id: refundId, transactionId: deposit.identifier, ...asked, ...amounts, ...day },
    });
    const part = { id: newId(), shareId: newId(), recipientId: newId(), amount: 1, isHeld: false };
    await tx.refundShare.create({ data: { accountId, refundId, ...part } });
    const money = { mode: "sandbox", method: "pix", provider: "simulator", amount: 0, reason: "unknown_txid" } as const;
    const came = { id: newId(), endToEndId: newId(), receivedAt: new Date(), updatedAt: new Date() };
    await tx.unmatchedReceipt.create({ data: { accountId, ...money, ...came } });
    const withdrawalId = newId();
    const sent = { mode: "sandbox", status: "cancelled", provider: "simulator", amount: 1, fee: 0 } as const;
    const key = { pixKeyType: "CPF", pixKey: "52998224725", document: "52998224725", ownerName: "Ana" } as const;
    await tx.withdrawal.create({
      data: { accountId, id: withdrawalId, ...sent, ...key, limits: {}, isLowered: false, askedBy: newId(), ...day },
    });
    const returned = { id: newId(), withdrawalId, returnId: "D1", amount: 0, createdAt: new Date() };
    await tx.withdrawalReturn.create({ data: { accountId, ...returned } });
    const [disputeId, reported] = [
      newId(),
      { mode: "sandbox", status: "won", reason: "other", method: "pix" } as const,
    ];
    const provided = { provider: "simulator", providerId: newId(), amount: 1, fee: 0, deadline: new Date() };
    await tx.dispute.create({
      data: { accountId, id: disputeId, transactionId: deposit.identifier, ...reported, ...provided, ...day },
    });
    await tx.disputeShare.create({ data: { accountId, disputeId, ...part, id: newId() } });
    await tx.disputeBlock.create({ data: { accountId, disputeId, id: newId(), amount: 1 } });
    const file = { name: "-", contentType: "image/png", size: 1, sha256: "-", wrappedKey: bytes, bytes };
    await tx.disputeFile.create({ data: { accountId, disputeId, id: newId(), ...file, createdAt: new Date() } });
    const decision = { kind: "refund", subjectId: newId(), asked: {}, askedBy: newId(), lapsesAt: new Date() } as const;
    await tx.approval.create({ data: { id: newId(), accountId, ...decision } });
    await tx.trackingIntegration.create({ data: { accountId, id: newId(), sealedToken: bytes, tokenLast4: "-" } });
    const order = { eventId: newId(), transactionId: deposit.identifier, mode: "sandbox", status: "pending" } as const;
    await tx.trackingOrder.create({ data: { accountId, ...order, nextAttemptAt: null } });
    const request = { id: newId(), accountId, method: "GET", path: "/", status: 200, durationMs: 1, ip: "::1" };
    await tx.requestLog.create({ data: { ...request, createdAt: new Date() } });
    const count = { basis: "created", day: new Date(0), method: "pix", status: "failed" } as const;
    await tx.rollup.create({ data: { accountId, ...count, number: 0, gross: 0, net: 0 } });
  });
  return made;
}

/** Writes what a card charge leaves beside its sale: its facts, and a card with its holder's consent. */
async function keepCard(tx: Tx, accountId: string) {
  const { wrappedKey, sealedCard, fingerprint, ...token } = await tx.cardToken.findFirstOrThrow();
  if (!wrappedKey || !sealedCard) throw new Error("The token holds no card");
  const sale = { accountId, transactionId: newId(), fingerprint, document: "52998224725" };
  const { id, brand, last4 } = token;
  await tx.storedCard.create({
    data: { ...sale, id, brand, last4, wrappedKey, sealedCard, consent: {}, consentedAt: new Date() },
  });
  await tx.cardCharge.create({ data: { ...sale, email: "a@b.co", ip: "::1", device: {} } });
  await beginCall(tx, { accountId, id: sale.transactionId, kind: "card_charge", provider: "simulator" });
}

/** Locks a row in the tail of each account, so that another test's fold leaves it there. Only the owner can. */
async function holdTails(accountIds: string[]) {
  const client = new pg.Client({ connectionString: ownerUrl() });
  await client.connect();
  await client.query("begin");
  await client.query("select set_config('app.accounts', '*', true)");
  for (const id of accountIds) {
    await vi.waitFor(async () => {
      await fund(id, 1);
      const held = "select from ledger_tail where account_id = $1 limit 1 for update skip locked";
      expect((await client.query(held, [id])).rowCount).toBe(1);
    });
  }
  return () => client.end();
}

let letTailsGo: () => Promise<void>;
beforeAll(async () => {
  [a, b] = await Promise.all([makeBusyAccount(), makeBusyAccount()]);
  letTailsGo = await holdTails([a.accountId, b.accountId]);
});
afterAll(async () => {
  await letTailsGo();
  await asSystem(async (tx) => {
    const where = { accountId: { in: [a.accountId, b.accountId] } };
    await tx.earning.deleteMany({ where }); // no sale gave them
    await tx.earningTotal.deleteMany({ where });
  });
});

test("every table except those named here has row-level security, forced on its owner too", async () => {
  const found = await tables();
  expect(found.filter(({ kind }) => kind !== "r")).toEqual([]); // a view would read with its owner's rights
  expect(found.filter((table) => !table.secured).map(({ name }) => name)).toEqual(WITHOUT_POLICY);
  expect(found.filter(({ secured, forced }) => secured && !forced)).toEqual([]);
  const { rows } = await pool().query(
    "select tablename, permissive, cmd, qual, with_check from pg_policies where policyname <> 'of_nobody' order by 1",
  );
  expect(rows.filter(({ tablename: name }) => isOneSided({ name }))).toEqual(
    (await securedTables()).filter(isOneSided).map(({ name, scoped }) => {
      const rule = `in_scope(${scoped ? "account_id" : "id"})`;
      return { tablename: name, permissive: "PERMISSIVE", cmd: "ALL", qual: rule, with_check: rule };
    }),
  );
});

/** The policies of a table, by the command that each is about. */
const policiesOf = async (table: string) =>
  (
    await pool().query(
      "select permissive, cmd, qual, with_check from pg_policies where tablename = $1 order by cmd, policyname",
      [table],
    )
  ).rows;

test("a share is its seller's, and its recipient may read it", async () => {
  const read = "(in_scope(account_id) OR in_scope(recipient_id))";
  expect(await policiesOf("shares")).toEqual([
    { permissive: "PERMISSIVE", cmd: "INSERT", qual: null, with_check: "in_scope(account_id)" },
    { permissive: "PERMISSIVE", cmd: "SELECT", qual: read, with_check: null },
  ]);
});

test("a plan's split is its seller's; who proved its e-mail may read and answer it, and then it is theirs to read", async () => {
  const proved = `((status = 'pending'::"SplitStatus") AND (email = current_setting('app.email'::text, true)))`;
  const answered = `(in_scope(recipient_id) AND (status = ANY (ARRAY['accepted'::"SplitStatus", 'rejected'::"SplitStatus"])))`;
  const own = "in_scope(account_id)";
  expect(await policiesOf("plan_splits")).toEqual([
    { permissive: "PERMISSIVE", cmd: "ALL", qual: own, with_check: own },
    { permissive: "PERMISSIVE", cmd: "SELECT", qual: proved, with_check: null },
    { permissive: "PERMISSIVE", cmd: "SELECT", qual: "in_scope(recipient_id)", with_check: null },
    { permissive: "PERMISSIVE", cmd: "UPDATE", qual: proved, with_check: answered },
  ]);
});

test("a mail without an account may be written in any scope, and is read, changed and deleted only in that of all", async () => {
  const { rows } = await pool().query(
    "select tablename, permissive, cmd, qual, with_check from pg_policies where policyname = 'of_nobody'",
  );
  const rule = { permissive: "PERMISSIVE", cmd: "INSERT", qual: null, with_check: "(account_id IS NULL)" };
  expect(rows).toEqual([{ tablename: "mails", ...rule }]);
  const mail = aMail();
  await forAccount(a.accountId, (tx) => writeMail(tx, mail));
  for (const scope of [[], a.accountId]) {
    const seen = await forAccount(scope, async (tx) => ({
      read: await tx.mail.count({ where: { accountId: null } }),
      changed: await tx.$executeRaw`update mails set recipient = recipient where account_id is null`,
      deleted: await tx.$executeRaw`delete from mails where account_id is null`,
    }));
    expect(seen).toEqual({ read: 0, changed: 0, deleted: 0 });
  }
  expect(await mailsOf(mail.intent)).toHaveLength(1);
});

test("with no account named, the program reads 0 rows of every table, though each has some", async () => {
  expect(totalOf(await countRows(null))).toBe(0);
  expect(totalOf(await countRows(""))).toBe(0);
  expect(totalOf(await countRows(newId()))).toBe(0);
  const all = await countRows("*");
  expect(Object.entries(all).filter(([, count]) => count === 0)).toEqual([]);
});

test("with one account named, the program reads no row of another account", async () => {
  const theirs = await countRows("*", b.accountId);
  expect(Object.entries(theirs).filter(([, count]) => count === 0)).toEqual([]); // or this would prove nothing
  expect(totalOf(await countRows(a.accountId, b.accountId))).toBe(0);
  const { ledger_tail: _, ...mine } = await countRows(a.accountId); // another test's fold may shorten the tail meanwhile
  expect(await countRows("*", a.accountId)).toMatchObject(mine);
  expect((await countRows(`${a.accountId},${b.accountId}`, b.accountId)).transactions).toBe(theirs.transactions);
});

/** All but those that the database makes itself. */
async function writableColumns(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`"${table}"`],
  );
  return rows[0]?.columns ?? "";
}

test("with one account named, another's rows cannot be changed, deleted, moved or added", async () => {
  const client = await pool().connect();
  const scope = () => client.query("select set_config('app.accounts', $1, true)", [a.accountId]);
  for (const { name, scoped } of await securedTables()) {
    const column = scoped ? "account_id" : "id";
    const readOnly = name.startsWith("ledger_") || name === "audit_links"; // lib/ledger/post.test.ts, lib/audit-log/audit.test.ts
    const hasTestOfItsOwn = !isOneSided({ name }) || name === "events" || name === "audit_marks";
    await client.query("begin");
    await scope();
    if (!readOnly && !hasTestOfItsOwn) {
      const theirs = `where ${column} = '${b.accountId}'`;
      expect((await client.query(`update "${name}" set ${column} = ${column} ${theirs}`)).rowCount, name).toBe(0);
      expect((await client.query(`delete from "${name}" ${theirs}`)).rowCount, name).toBe(0);
      const give = client.query(`update "${name}" set ${column} = '${b.accountId}'`);
      await expect(give, name).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|23505)$/) });
      await client.query("rollback");
      await client.query("begin");
      await scope();
    }
    const columns = await writableColumns(client, name);
    const copy = `insert into "${name}" (${columns}) select ${columns}
      from (select (jsonb_populate_record(t, $1)).* from "${name}" t limit 1) copied`;
    const attempt = client.query(copy, [JSON.stringify({ [column]: b.accountId })]);
    const message = expect.stringMatching(readOnly ? /^permission denied for table/ : /row-level security/);
    await expect(attempt, name).rejects.toMatchObject({ code: "42501", message });
    await client.query("rollback");
  }
  client.release();
});

test("what happened is only ever added to: no event can be changed or deleted, by whatever account", async () => {
  for (const act of ["update events set type = type", "delete from events", "truncate events"]) {
    const attempt = transactionOverAll((query) => query("", act, []));
    await expect(attempt, act).rejects.toMatchObject({ code: "42501" });
  }
});

test("an account named for one transaction is forgotten by the connection's next one", async () => {
  await connected(String(process.env.DATABASE_PROGRAM_URL), async (client) => {
    const count = async () => Number((await client.query("select count(*) from transactions")).rows[0].count);
    await client.query("begin");
    await client.query("select set_config('app.accounts', $1, true)", [a.accountId]);
    expect(await count()).toBe(2);
    await client.query("commit");
    expect(await count()).toBe(0);
    await client.query("select * from account_in_scope($1)", [a.accountId]);
    expect(await count()).toBe(0);
  });
});

test("an image's id shows that image to whoever has it, and brings no account but its own into scope", async () => {
  const images = await forAccount(a.accountId, (tx) => tx.productImage.findMany());
  await connected(String(process.env.DATABASE_PROGRAM_URL), async (client) => {
    const ask = async (text: string, ...values: string[]) => (await client.query(text, values)).rows;
    const scope =
      "select current_setting('app.accounts') as name, (select count(*)::int from product_images) as images";
    for (const [id, account, count] of [
      [images[0]?.id ?? "", a.accountId, 1],
      [newSecret(), "", 0],
    ] as const) {
      await client.query("begin");
      expect(await ask("select account_id from image_in_scope($1)", id)).toHaveLength(count);
      expect(await ask(scope)).toEqual([{ name: account, images: count }]);
      await client.query("commit");
      expect(await ask("select id from product_images")).toEqual([]);
    }
  });
});

describe("the program's role", () => {
  test("owns nothing, stands above nothing, and belongs to no other role", async () => {
    const { rows } = await pool().query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (select count(*)::int from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = current_user`,
    );
    const no = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    };
    expect(rows).toEqual([{ ...no, memberships: 0 }]);
    const me = (await pool().query("select current_user as name")).rows[0].name;
    expect((await tables()).filter(({ owner }) => owner === me)).toEqual([]);
    const functions = await pool().query(
      "select from pg_proc where pronamespace = 'public'::regnamespace and proowner = current_user::regrole",
    );
    expect(functions.rows).toEqual([]);
  });

  test("is lent the owner's rights by these functions alone, which nobody else may call", async () => {
    const { rows } = await pool().query(
      `select proname as name, proconfig::text as settings, has_function_privilege('public', oid, 'execute') as open
       from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by proname`,
    );
    const closed = { settings: '{"search_path=public, pg_temp"}', open: false };
    const merging = '{"search_path=public, pg_temp",enable_nestloop=off,enable_hashjoin=off}';
    expect(rows).toEqual(
      [
        "applied_migrations",
        "audit_link",
        "count_active",
        "count_subscriptions",
        "ledger_fold",
        "ledger_post",
        "ledger_reserve",
        "redact_events",
      ].map((name) => ({
        name,
        ...closed,
        ...(name === "ledger_fold" && { settings: merging }),
      })),
    );
  });

  test.each([
    ["set row_security off to read past the policies", "set local row_security = off; select * from transactions"],
    ["disable row-level security", "alter table transactions disable row level security"],
    ["lift row-level security from the table's owner", "alter table transactions no force row level security"],
    ["write a policy of its own", "create policy mine on transactions using (true)"],
    [
      "become the owner",
      "do $$ begin execute format('set role %I', (select pg_get_userbyid(relowner) from pg_class where relname = 'transactions' and relnamespace = 'public'::regnamespace)); end $$",
    ],
    [
      "replace the function that the policies call",
      "create or replace function in_scope(account uuid) returns boolean language sql as 'select true'",
    ],
    ["make a table", "create table public.mine (id int)"],
    ["read which migrations ran", "select * from _prisma_migrations"],
    ["empty a table whole", "truncate transactions"],
  ])("cannot %s", async (_, text) => {
    const client = await pool().connect();
    await client.query("begin");
    await expect(client.query(text)).rejects.toMatchObject({ code: "42501" });
    await client.query("rollback");
    client.release();
  });
});

test("row-level security binds the owner, who migrates, as well: of all roles only a superuser passes it", async () => {
  await connected(ownerUrl(), async (client) => {
    await client.query("begin");
    await client.query("create role policy_probe nosuperuser nobypassrls");
    await client.query("alter table events owner to policy_probe");
    await client.query("grant usage on schema public to policy_probe");
    await client.query("set local role policy_probe");
    expect((await client.query("select count(*) from events")).rows[0].count).toBe("0");
    await client.query("rollback");
  });
});

test("a transaction that names only the platform's account reads no row of another account", async () => {
  expect(totalOf(await countRows(a.accountId, PLATFORM))).toBe(0);
});
