import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { payerLink } from "@/lib/billing/payer-link";
import { countRecent } from "@/lib/charges/rules";
import { asSystem, forAccount, transactionOverAll } from "@/lib/db";
import { env } from "@/lib/env";
import { hideLinks } from "@/lib/http/hide-link";
import { newId } from "@/lib/ids";
import { finishCall } from "@/lib/outside/calls";
import { mailReceipts } from "@/lib/payment-links/mail-receipts";
import { refundCall } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { simulateRefund } from "@/lib/refunds/simulate";
import { replaceCard } from "@/lib/subscriptions/replace-card";
import { aPayer, makeLink, payAs, settleAs } from "@/lib/testing/checkout";
import { openHost } from "@/lib/testing/http";
import { lettersTo } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aToken, makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  chargeCards,
  device,
  enrolled,
  enrolledByCard,
  eventsOf,
  payCode,
  putCard,
  shown,
  somebody,
} from "@/lib/testing/subscriptions";
import { moveSales } from "@/lib/transactions/move";

const host = openHost(routes);

openRail();

const pageOf = ({ accountId }: Made, id: string) => `/checkout/subscription/${linkOf(accountId, id)}`;

/** The link of what `somebody` subscribed to. */
const linkOf = (accountId: string, id: string) => payerLink({ accountId, id, email: somebody().email });

const send = (path: string, fields: Record<string, string>) =>
  host.ask("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

describe("a payer's own page", () => {
  test("shows one subscription: what it is, how it stands, the next day, and its charges", async () => {
    const made = await makeAccount();
    const page = pageOf(made, await anActive(made, await aPlan(made, { name: "Clube do livro" })));
    const { status, text, headers } = await host.ask("GET", page);
    expect(status).toBe(200);
    for (const said of ["Clube do livro", "Em dia", "Próxima cobrança", "R$\u00a049,90", "Cancelar a assinatura"]) {
      expect(text).toContain(said);
    }
    expect(text).toMatch(/Paga em \d+ \w{3} \d{4}/);
    expect(text, "nothing of the payer, because a screen is seen by others").not.toMatch(
      /ana@example|Ana Prado|529\.?982/,
    );
    expect(text, "but whom they may ask").toContain(`<a href="mailto:${made.email}">${made.email}</a>`);
    expect([headers.get("referrer-policy"), headers.get("cache-control")]).toEqual(["no-referrer", "no-store"]);
    expect((await host.ask("GET", `${page}?lang=en`)).text).toContain("R$\u00a049.90");
  });

  test("is of nobody else: another id, account or secret opens nothing, and all look the same", async () => {
    const [made, other] = [await makeAccount(), await makeAccount()];
    const id = await anActive(made, await aPlan(made));
    const link = linkOf(made.accountId, id);
    const forged = [
      `${link.slice(0, -2)}${link.endsWith("AA") ? "BB" : "AA"}`,
      link.slice(0, 43) + linkOf(other.accountId, newId()).slice(43),
      linkOf(other.accountId, id),
      linkOf(made.accountId, newId()),
      payerLink({ accountId: made.accountId, id, email: "other@example.com" }),
      "x".repeat(86),
      id,
    ];
    const answers = await Promise.all(forged.map((one) => host.ask("GET", `/checkout/subscription/${one}`)));
    expect(answers.map(({ status }) => status)).toEqual(forged.map(() => 404));
    const refused = await send(`/checkout/subscription/${forged[0]}`, { act: "cancel" });
    expect([refused.status, (await shown(made, id)).status]).toEqual([404, "active"]);
    const { SESSION_SECRET } = env;
    Object.assign(env, { SESSION_SECRET: "another secret, as long as the first one was" });
    const after = await host.ask("GET", `/checkout/subscription/${link}`);
    Object.assign(env, { SESSION_SECRET });
    expect(after.status).toBe(404);
  });

  test("ends with the subscription's e-mail, as the link of whom it was written to before", async () => {
    const made = await makeAccount();
    const id = await anActive(made, await aPlan(made));
    expect((await host.ask("GET", pageOf(made, id))).status).toBe(200);
    const where = { accountId_id: { accountId: made.accountId, id } };
    const email = `${newId()}@example.com`;
    await forAccount(made.accountId, (tx) => tx.subscription.update({ where, data: { email } }));
    expect((await host.ask("GET", pageOf(made, id))).status).toBe(404);
    const link = payerLink({ accountId: made.accountId, id, email });
    expect((await host.ask("GET", `/checkout/subscription/${link}`)).status).toBe(200);
  });

  test("has an address that no log and no report repeats", () => {
    const link = linkOf(newId(), newId());
    expect(hideLinks(`GET /checkout/subscription/${link}?do=cancel`)).toBe("GET /checkout/subscription/…?do=cancel");
  });

  test("says what cancelling does before it does it: what is paid lasts, and nothing more is charged", async () => {
    const made = await makeAccount();
    const id = await anActive(made, await aPlan(made));
    const page = pageOf(made, id);
    const asked = await host.ask("GET", `${page}?do=cancel`);
    expect(asked.text).toMatch(/O que você já pagou vale até \d+ \w{3} \d{4}/);
    expect(await shown(made, id), "looking changes nothing").toMatchObject({ ends_at: null });
    const done = await send(`${page}?do=cancel`, { act: "cancel" });
    expect([done.status, done.headers.get("location")]).toEqual([303, `${page}?done=cancel`]);
    expect((await host.ask("GET", `${page}?done=cancel`)).text).toContain("Cancelada, ainda vale");
    const { status, ends_at, next_charge_at } = await shown(made, id);
    expect([status, typeof ends_at, next_charge_at]).toEqual(["active", "string", null]);
    expect((await send(page, { act: "cancel" })).status, "there is nothing more to cancel").toBe(409);
    const [sale] = await forAccount(made.accountId, (tx) => tx.transaction.findMany({ where: { subscriptionId: id } }));
    const receipt = async () => (await host.ask("GET", `/checkout/${sale?.planId}?payment=${sale?.id}`)).text;
    expect(await receipt(), "the receipt says so").toMatch(/Vale até[\s\S]+foi cancelada e vale até \d+ \w{3} \d{4}/);
    expect(await receipt()).not.toContain("quando quiser");
    await advance(made, 32);
    expect((await eventsOf(made, id)).at(-1)).toBe("subscription.cancelled");
    expect((await host.ask("GET", page)).text).not.toContain("do=cancel");
    expect(await receipt()).toContain("Esta assinatura foi cancelada. Nada mais é cobrado.");
    const events = await forAccount(made.accountId, (tx) =>
      tx.event.findMany({ where: { subjectId: id }, orderBy: { id: "asc" } }),
    );
    expect(JSON.stringify(events.at(-1)), "the seller reads who asked for it").toContain("Pedido de quem assina");
  });

  test("takes no form but its two, and changes nothing by any other", async () => {
    const made = await makeAccount();
    const { token } = await enrolled(made, await aPlan(made));
    const page = pageOf(made, token);
    for (const fields of [{}, { act: "" }, { act: "Cancel" }, { act: "keep" }, { cancel: "1" }]) {
      const { status, text } = await send(page, fields as Record<string, string>);
      expect([status, text.includes("do=cancel")], JSON.stringify(fields)).toEqual([422, true]);
    }
    expect(await shown(made, token)).toMatchObject({ status: "pending_first_payment" });
  });

  test("ends at once what is not paid", async () => {
    const made = await makeAccount();
    const { token } = await enrolled(made, await aPlan(made));
    const page = pageOf(made, token);
    expect((await host.ask("GET", `${page}?do=cancel`)).text).toContain("A assinatura termina agora");
    await send(page, { act: "cancel" });
    expect(await shown(made, token)).toMatchObject({ status: "cancelled" });
  });

  test("cancels for a suspended seller and a full account too", async () => {
    const made = await makeAccount();
    const id = await anActive(made, await aPlan(made));
    const data = { status: "suspended", storageFullAt: new Date() } as const;
    await forAccount(made.accountId, (tx) => tx.account.update({ where: { id: made.accountId }, data }));
    expect((await send(pageOf(made, id), { act: "cancel" })).status).toBe(303);
  });

  test("lets nobody try one card after the other on it", async () => {
    const made = await makeShop();
    const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
    const page = pageOf(made, token);
    const attempts = [];
    for (let n = 0; n < 6; n += 1) attempts.push((await send(page, { act: "card", card_token: `wrong-${n}` })).status);
    expect(attempts.slice(0, 5).every((status) => status === 422)).toBe(true);
    expect(attempts[5]).toBe(429);
  });
});

describe("a payer's new card", () => {
  /** Somebody who subscribes by card, and their page. */
  async function byCard() {
    const made = await makeShop();
    const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
    return { made, token, page: pageOf(made, token) };
  }

  test("is charged at once for what is owed, and later otherwise", async () => {
    const made = await makeShop();
    const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
    const page = pageOf(made, token);
    expect((await host.ask("GET", page)).text).toContain("Visa final 1111");
    const later = await send(page, { act: "card", card_token: await aToken(made, "5555555555554444") });
    expect(later.headers.get("location")).toBe(`${page}?done=card`);
    expect(await shown(made, token)).toMatchObject({ status: "active", card: { last4: "4444" } });

    await putCard(made, token, "4000000000009979");
    await advance(made, 31);
    expect((await host.ask("GET", page)).text).toContain("Suspensa por falta de pagamento");
    expect((await host.ask("GET", `${page}?do=card`)).text).toContain("O novo cartão será cobrado agora");
    const now = await send(page, { act: "card", card_token: await aToken(made) });
    expect(now.headers.get("location")).toBe(`${page}?done=cardNow`);
    await chargeCards(made.accountId);
    expect(await shown(made, token)).toMatchObject({ status: "active", card: { last4: "1111" } });
    const sales = await forAccount(made.accountId, (tx) => tx.transaction.findMany({ orderBy: { id: "asc" } }));
    expect(sales.at(-1)?.byVisitor, "what a visitor has us write counts apart").toBe(true);
  });

  test("is judged by our rules before it is kept, and each try counts for them", async () => {
    const { made, token, page } = await byCard();
    const refused = await send(page, { act: "card", card_token: await aToken(made, "4100000000000019") });
    expect([refused.status, refused.text.includes("recusado por segurança")]).toEqual([402, true]);
    expect((await shown(made, token)).card).toMatchObject({ last4: "1111" });
    await send(page, { act: "card", card_token: await aToken(made, "5555555555554444") });
    expect((await shown(made, token)).card).toMatchObject({ last4: "4444" });
    const [rules, counted] = await forAccount(made.accountId, async (tx) => {
      const tries = await tx.cardCharge.findMany({ where: { subscriptionId: token }, orderBy: { createdAt: "asc" } });
      const [last] = tries.slice(-1).map(({ ip, document, fingerprint }) => ({ ip, document, fingerprint }));
      if (!last) throw new Error("no try was counted");
      const who = { ...last, accountId: made.accountId, fingerprint: Buffer.from(last.fingerprint) };
      return [tries.map(({ rule }) => rule), await countRecent(tx, who)] as const;
    });
    expect(rules).toEqual(["card_velocity", null]);
    expect(counted, "the card once, the document with the first charge").toMatchObject({
      ...{ recentOfCard: 1, recentOfDocument: 3, recentOfIp: 2 },
    });
  });

  test("may be put five times a day, and the seller is not counted", async () => {
    const { made, token, page } = await byCard();
    const numbers = ["5555555555554444", "4111111111111111", "5555555555554444", "4111111111111111"];
    await putCard(made, token, "4111111111111111");
    for (const number of [...numbers, "5555555555554444"]) {
      const card = { token: await aToken(made, number) };
      await replaceCard(made.account, { id: token, card, device, byVisitor: true }, call());
    }
    const sixth = await send(page, { act: "card", card_token: await aToken(made) });
    expect([sixth.status, sixth.text.includes("até 5 vezes por dia")]).toEqual([429, true]);
    expect((await shown(made, token)).card).toMatchObject({ last4: "4444" });
    await putCard(made, token, "4111111111111111");
    expect((await shown(made, token)).card).toMatchObject({ last4: "1111" });
  });

  test("is not asked of a subscription by Pix", async () => {
    const made = await makeAccount();
    const page = pageOf(made, await anActive(made, await aPlan(made)));
    expect((await host.ask("GET", page)).text).not.toContain("do=card");
    expect((await host.ask("GET", `${page}?do=card`)).text).not.toContain('id="card"');
    expect((await send(page, { act: "card", card_token: "x" })).status).toBe(409);
  });
});

describe("a receipt", () => {
  test("of a plan names product, next day and how to cancel, by mail and in the browser that enrolled", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made, { name: "Clube do livro" });
    const email = `${newId()}@example.com`;
    const fields = { ...aPayer, email, method: "pix", attempt: newId(), shown: "49.90" };
    const begun = await send(`/checkout/${plan}`, fields);
    const cookie = begun.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      new RegExp(`^payer=[\\w-]{86}; Path=/checkout/${plan}; Max-Age=600; HttpOnly; SameSite=Lax`),
    );
    const receipt = begun.headers.get("location") ?? "";
    await payCode(made, new URL(receipt, host.url).searchParams.get("payment") ?? "");

    const kept = { headers: { cookie: cookie.split(";", 1)[0] ?? "" } };
    const [mine, others] = [await host.ask("GET", receipt, kept), await host.ask("GET", receipt)];
    for (const { text } of [mine, others]) expect(text).toMatch(/Próxima cobrança<\/dt><dd>\d+ \w{3} \d{4}/);
    const [, path = ""] = /href="(\/checkout\/subscription\/[\w-]{86})"/.exec(mine.text) ?? [];
    expect((await host.ask("GET", path)).text).toContain("Em dia");
    expect(others.text, "the receipt's address is shared").not.toContain("/checkout/subscription/");
    expect(others.text).toContain("a página da sua assinatura está no e-mail do recibo");

    const next = (await host.ask("GET", `/checkout/${plan}`, kept)).headers.get("set-cookie");
    expect(next, "the next person at the device").toMatch(`payer=; Path=/checkout/${plan}; Max-Age=0`);
    expect((await host.ask("GET", `/checkout/${plan}`)).headers.get("set-cookie")).toBeNull();

    const letter = (await lettersTo(email)).find(({ template }) => template === "charge_paid");
    expect(letter).toMatchObject({ plan: "Clube do livro", nextDay: expect.any(String), payerUrl: env.APP_URL + path });
  });

  test("says what of the payment went back, when and where to, in both languages", async () => {
    const made = await makeAccount({ available: 50_000 });
    const token = await makeLink(made);
    const id = (await payAs(token)).data.payment;
    await settleAs(made, id);
    const page = async (lang: string) =>
      (await host.ask("GET", `/checkout/${token}?payment=${id}&lang=${lang}`)).text.replaceAll("\u00a0", " ");
    const refund = async (amount?: string) => {
      const body = RefundBody.parse({ reason: "buyer_withdrawal", amount });
      const { code } = (await requestRefund(made.account, { ...body, id }, call())).data;
      await simulateRefund(made.account, { code, isCompleted: true }, call());
      const key = { accountId: made.accountId, id: idOfCode(code) ?? "" };
      await finishCall(refundCall, key, { status: "completed", returnId: `D${"0".repeat(31)}` });
    };
    expect(await page("pt-BR")).not.toContain("Devolvido");
    await refund("40.00");
    const part = await page("pt-BR");
    expect(part).toContain('<h1 id="heading" tabindex="-1">Pago</h1>');
    expect(part).toMatch(/<dt>Devolvido<\/dt><dd>R\$ 40,00, em \d+ \w{3} \d{4}, \d\d:\d\d<\/dd>/);
    expect(part).toContain("R$ 40,00 voltaram por Pix para a conta que fez o pagamento.");
    await refund();
    const [whole, english] = [await page("pt-BR"), await page("en")];
    expect(whole).toContain('<h1 id="heading" tabindex="-1">Devolvido</h1>');
    expect(whole).toContain("R$ 132,00 voltaram por Pix");
    expect(english).toContain("R$ 132.00 went back by Pix to the account that paid.");
  });

  test("of a link is mailed to whoever paid, once", async () => {
    const made = await makeAccount();
    const token = await makeLink(made, { description: "Caderno de capa dura" });
    const email = `${newId()}@example.com`;
    const id = (await payAs(token, { email })).data.payment;
    expect(await lettersTo(email)).toEqual([]);
    await settleAs(made, id);
    const { accountId } = made;
    // Its own events alone: a consumer of all would take those of other tests from the outbox.
    const consume = () =>
      transactionOverAll(async (query) => {
        const own = "delete from outbox where account_id = $1::uuid returning event_id as id";
        const ids = (await query<{ id: string }>("", own, [accountId])).map(({ id }) => id);
        const events = await forAccount(accountId, (tx) =>
          tx.event.findMany({ where: { accountId, id: { in: ids } } }),
        );
        return mailReceipts(query, events);
      });
    await consume();
    const url = `${env.APP_URL}/checkout/${token}?payment=${id}`;
    const receipt = { template: "link_paid", what: "Caderno de capa dura", amount: 13_200, method: "pix", url };
    expect(await lettersTo(email)).toMatchObject([receipt]);

    await asSystem((tx) => tx.mail.deleteMany({ where: { recipient: email } })); // as it is after 30 days
    for (const move of ["dispute", "win"] as const) {
      expect(await forAccount(accountId, (tx) => moveSales(tx, move, [{ accountId, id }]))).toHaveLength(1);
    }
    await consume();
    expect(await lettersTo(email), "a dispute that was won pays nothing anew").toEqual([]);
  });
});
