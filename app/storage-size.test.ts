import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { countWritten } from "@/lib/accounts/count-events";
import { flushStored } from "@/lib/accounts/storage";
import { asSystem, forAccount, queryOf } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { collectEarnings } from "@/lib/earnings/collect";
import { eventsConsumer } from "@/lib/events/consume";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { foldTails } from "@/lib/ledger/fold";
import { startMails } from "@/lib/mail/run";
import { writeMails } from "@/lib/mail/write";
import { countEvents } from "@/lib/rollups/count";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { makeLink, personOf } from "@/lib/testing/checkout";
import { openHost } from "@/lib/testing/http";
import { aMail } from "@/lib/testing/mails";
import { call, fund, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { aCard, anOrder, aToken, makeShop } from "@/lib/testing/shop";
import { advance, aPlan, enrolledByCard, payCode } from "@/lib/testing/subscriptions";
import { claimDeliveries } from "@/lib/webhooks/claim";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { recordDelivered } from "@/lib/webhooks/record";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent, happen, makeSale } from "@/lib/webhooks/testing";

/** All tables are measured, so nothing else may write. What is deleted is not used again here. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  const tables = await owner<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  for (const { name } of tables) await owner(`alter table ${name} set (autovacuum_enabled = off)`);
});
const host = openHost(routes);
afterAll(() => drop());

const owner = <Row>(text: string): Promise<Row[]> =>
  connected(ownerUrl(), async (client) => {
    await client.query("set app.accounts = '*'");
    return (await client.query(text)).rows as Row[];
  });

type Sizes = Map<string, number>;

/** What every table and index takes, in pages. */
async function sizes(): Promise<Sizes> {
  const rows = await owner<{ oid: string; size: string }>(
    `select oid::text, pg_relation_size(oid) as size from pg_class
    where relkind in ('r', 'i', 't') and (relnamespace = 'public'::regnamespace or relnamespace = 'pg_toast'::regnamespace)`,
  );
  return new Map(rows.map(({ oid, size }) => [oid, Number(size)]));
}

async function readCounted(): Promise<number> {
  const text = "select coalesce(sum(bytes + visitor_bytes), 0) as counted from account_storage";
  const [row] = await owner<{ counted: string }>(text);
  return Number(row?.counted);
}

const { consume } = eventsConsumer({ dispatchEvents, countEvents, collectEarnings, countWritten });

/** Does all that loops have to do but deliver. */
async function settle() {
  while (await sendNotices());
  while (await completeDuePayments());
  while (await consume());
  while (await foldTails());
  await flushRequestLog();
  await flushStored();
}

const V1 = "/api/partner/v1";
const client = { name: "Ana Prado", email: "ana@example.com", cpf: "529.982.247-25", phone: "11987654321" };
const seller = () => makeAccount({ feeBasisPoints: 100 });
/** One after another, because a table to which several write at once grows by more pages than they fill. */
async function times(count: number, run: (place: number) => Promise<unknown>): Promise<void> {
  for (let place = 0; place < count; place += 1) await run(place);
}

async function send(made: Made | undefined, path: string, body: object, key?: string) {
  const more = { ...(made && { token: made.token }), ...(key && { key }) };
  const { status, text, json } = await host.ask("POST", path, { body, ...more });
  expect(status, text).toBeLessThan(300);
  return json;
}

const deposit = async (made: Made) => String((await send(made, `${V1}/cash-in`, { amount: 10, client })).identifier);

const aWebhook = ({ account }: Made, path: string) =>
  createWebhook(
    account,
    WebhookInput.parse({ title: "Loja", url: `https://loja.example/${path}`, event: "transaction" }),
    call(),
  );

type Happening = Awaited<ReturnType<typeof happen>>;

/** Events of as many sales, which are in no outbox any more once the case begins. */
async function salesOf({ accountId }: Made, count: number): Promise<Happening[]> {
  const happened: Happening[] = [];
  await times(count, async () => void happened.push(await happen(await makeSale(accountId), "completed")));
  await owner("delete from outbox");
  return happened;
}

/** The subscriptions of the cases about them, one after the other. */
const enrolments: { made?: Made; sales: string[] } = { sales: [] };

type Case = readonly [name: string, make: () => Promise<() => Promise<unknown>>];

const cases: readonly Case[] = [
  [
    "a payment of a deposit",
    async () => {
      const made = await seller();
      const ids: string[] = [];
      await times(80, async () => ids.push(await deposit(made)));
      return () => times(80, (place) => send(made, `${V1}/sandbox/pix/${ids[place]}/pay`, {}));
    },
  ],
  [
    "a deposit",
    async () => {
      const made = await seller();
      return () => times(120, () => deposit(made));
    },
  ],
  [
    "a deposit under a key",
    async () => {
      const made = await seller();
      return () => times(80, () => send(made, `${V1}/cash-in`, { amount: 10, client }, newId()));
    },
  ],
  [
    "a card token",
    async () => {
      const made = await seller();
      return () => times(120, () => send(made, `${V1}/card-tokens`, aCard()));
    },
  ],
  [
    "a card charge",
    async () => {
      const made = await makeShop({ feeBasisPoints: 100 });
      const tokens = await Promise.all(Array.from({ length: 80 }, () => aToken(made)));
      return () => times(80, (place) => send(made, `${V1}/credit-card`, anOrder(tokens[place] ?? "")));
    },
  ],
  [
    "a refund that is asked for with many words, and cancelled",
    async () => {
      const made = await seller();
      await fund(made.accountId, 1_000);
      const ids: string[] = [];
      await times(40, async () => ids.push(await deposit(made)));
      await times(40, (place) => send(made, `${V1}/sandbox/pix/${ids[place]}/pay`, {}));
      const words = () => Array.from({ length: 50 }, () => newId()).join(" ");
      const body = () => ({ reason: "other", reason_details: words() });
      return () =>
        times(40, async (place) => {
          const { data } = await send(made, `${V1}/transaction/${ids[place]}/refund`, body());
          await send(made, `${V1}/refunds/${(data as { code: string }).code}/cancel`, {});
        });
    },
  ],
  [
    "an enrolment by code",
    async () => {
      const made = await seller();
      const path = `${V1}/subscription-plans/${await aPlan(made)}/enroll`;
      const enrol = async (place: number) => {
        const { payment } = (await send(made, path, personOf(place))) as { payment: { identifier: string } };
        enrolments.sales.push(payment.identifier);
      };
      enrolments.made = made;
      await times(3, enrol);
      return () => times(50, (place) => enrol(place + 3));
    },
  ],
  [
    "a first payment of a subscription",
    async () => {
      const { made = await seller(), sales } = enrolments;
      await times(3, (place) => payCode(made, sales[place] ?? ""));
      return () => times(50, (place) => payCode(made, sales[place + 3] ?? ""));
    },
  ],
  [
    "a cycle that is charged by card",
    async () => {
      const made = await makeShop({ feeBasisPoints: 100 });
      const plan = await aPlan(made, { billing_method: "credit_card" });
      await times(10, (place) => enrolledByCard(made, plan, undefined, personOf(place)));
      return () => advance(made, 250);
    },
  ],
  [
    "a cycle that is asked for by code, reminded of and not paid",
    async () => {
      const { made = await seller() } = enrolments;
      return () => advance(made, 45);
    },
  ],
  [
    "an event for two webhooks",
    async () => {
      const made = await seller();
      for (const path of ["a", "b"]) await aWebhook(made, path);
      const happened = await salesOf(made, 300);
      return () => times(300, (place) => dispatchEvent(happened[place] as Happening));
    },
  ],
  [
    "an attempt at a webhook",
    async () => {
      const made = await seller();
      await aWebhook(made, "a");
      for (const one of await salesOf(made, 300)) await dispatchEvent(one);
      const due = await deliveriesOf(made.accountId);
      const outcome = { status: 200, body: "ok".repeat(50), error: null, durationMs: 12, retryAfterMs: null };
      return async () => {
        const claimed = await claimDeliveries(newId(), due);
        const attempts = claimed.map((sent) => ({ id: newId(), sent, url: sent.url ?? "", outcome }));
        expect(await recordDelivered(attempts)).toEqual(due.map(() => true));
      };
    },
  ],
  [
    "a mail that is sent",
    async () => {
      const { accountId } = await seller();
      const mails = Array.from({ length: 240 }, () => aMail({ accountId, mode: "sandbox" }));
      // A mail is updated as it goes, and how many old versions stay depends on what else runs: they are not its size.
      async function withoutOldVersions() {
        let told = "";
        await connected(ownerUrl(), async (client) => {
          client.on("notice", ({ detail = "" }) => {
            told = detail;
          });
          // It keeps what somebody may still read who began before, such as an analysis of the catalogue.
          do await client.query("vacuum (full, verbose) mails");
          while (!told.startsWith("0 dead"));
        });
      }
      await withoutOldVersions();
      return async () => {
        await forAccount(accountId, (tx) => writeMails(queryOf(tx), mails));
        const stop = startMails((error) => expect(error).toBeUndefined());
        const left = () => asSystem((tx) => tx.mail.count({ where: { accountId, status: "pending" } }));
        while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
        await stop();
        await withoutOldVersions();
      };
    },
  ],
  [
    "what a seller sets up",
    async () => {
      const made = await seller();
      const plans = await Promise.all(Array.from({ length: 5 }, () => aPlan(made)));
      const post = (path: string, body: object) => send(made, V1 + path, body);
      return () =>
        times(50, async (place) => {
          await post("/credentials", { name: `Loja ${place}` });
          await post("/products", { name: `Produto ${place}`, description: "Uma revista" });
          await post("/subscription-plans", { name: "Mensal", amount: 49.9, billing_method: "qr_code" });
          await post("/payment-links", { amount: 10, description: "Uma revista" });
          await post("/webhooks", { title: "Loja", url: "https://loja.example/aviso", event: "transaction" });
          await post(`/subscription-plans/${plans[place % 5]}/splits`, {
            email: `p${place}@example.com`,
            percentage: 1,
          });
        });
    },
  ],
  [
    "a code that a visitor of a link asks for",
    async () => {
      const link = await makeLink(await seller());
      const body = (place: number) => ({ ...personOf(place), method: "pix", attempt: newId() });
      return () => times(80, (place) => send(undefined, `/api/public/v1/checkout/${link}/pay`, body(place)));
    },
  ],
  [
    "an enrolment of a visitor",
    async () => {
      const plan = await aPlan(await seller());
      const body = (place: number) => ({ ...personOf(place), attempt: newId() });
      return () => times(60, (place) => send(undefined, `/api/public/v1/checkout/${plan}/enroll`, body(place)));
    },
  ],
  [
    "a request that reads",
    async () => {
      const made = await seller();
      return () => times(250, () => host.ask("GET", `${V1}/balance`, { token: made.token }));
    },
  ],
];

const PAGE = 8_192;

/** What was written is known in whole pages, so that of each table and index a page is not known. */
test.sequential.each(cases)("%s counts as what is written, within a quarter", { timeout: 60_000 }, async (_, make) => {
  const run = await make();
  await settle();
  const [before, countedBefore] = [await sizes(), await readCounted()];
  await run();
  await settle();
  const [after, counted] = [await sizes(), (await readCounted()) - countedBefore];
  const grown = [...after].map(([oid, size]) => size - (before.get(oid) ?? 0)).filter((bytes) => bytes > 0);
  const written = grown.reduce((all, bytes) => all + bytes, 0);
  const allowed = written / 4 + grown.length * PAGE;
  expect(Math.abs(counted - written), `${written} written, ${counted} counted`).toBeLessThanOrEqual(allowed);
});
