import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { addDays, dayOf } from "@/lib/billing/calendar";
import { findPayment } from "@/lib/checkout/status";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId, sha256 } from "@/lib/ids";
import { readPaymentLink } from "@/lib/payment-links/read";
import { updatePaymentLink } from "@/lib/payment-links/update";
import { createPlan } from "@/lib/plans/create";
import { PlanChange, PlanInput } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { countSlots, spendSlot } from "@/lib/rate-limits/spend-slot";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { aPayer, makeLink, payAs, personOf, settleAs } from "@/lib/testing/checkout";
import { type Answered, openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { aCard, aToken, someAddress } from "@/lib/testing/shop";
import { advance, anActive, aPlan, enrolled, nowOf, payCode, shown } from "@/lib/testing/subscriptions";
import { tracesOf } from "@/lib/testing/traces";
import { readTransactionV2 } from "@/lib/transactions/read";

const host = openHost(routes);
const api = "/api/public/v1/checkout";

const send = (token: string, fields: object, query = "") =>
  host.ask("POST", `/checkout/${token}${query}`, {
    body: new URLSearchParams({ ...aPayer, method: "pix", ...fields }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

/** The payment that a form's answer leads to. */
const paymentIn = ({ headers }: Answered) =>
  new URL(headers.get("location") ?? "", host.url).searchParams.get("payment");

const inputOf = ({ text }: Answered, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
const noteOf = ({ text }: Answered, name: string) => new RegExp(`id="${name}-note"[^>]*>([^<]*)<`).exec(text)?.[1];

describe("the page of a link", () => {
  test("shows who sells what for how much, also where their texts are markup", async () => {
    const seller = await makeAccount();
    const evil = `<script>alert(1)</script>"'&`;
    const name = `Loja ${evil}`;
    await forAccount(seller.accountId, (tx) => tx.account.update({ where: { id: seller.accountId }, data: { name } }));
    const answer = await host.ask("GET", `/checkout/${await makeLink(seller, { description: evil })}`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("<script>alert");
    expect(answer.text).toContain("&lt;script>alert(1)&lt;/script>");
    expect(answer.text).toContain("R$\u00a0132,00");
  });

  test("has exactly these headers, runs one script, and loads nothing of others", async () => {
    const token = await makeLink(await makeAccount());
    const answer = await host.ask("GET", `/checkout/${token}`);
    const [, nonce] = /'nonce-([\w-]{43})'/.exec(answer.headers.get("content-security-policy") ?? "") ?? [];
    const { date, "x-request-id": id, "content-length": length, ...headers } = Object.fromEntries(answer.headers);
    expect([date, id].every(Boolean) && length !== "0").toBe(true);
    expect(headers).toEqual({
      "cache-control": "no-store",
      connection: "keep-alive",
      "content-encoding": "gzip",
      "content-language": "pt-BR",
      "content-security-policy":
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; ` +
        "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "report-uri /csp-reports",
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "keep-alive": "timeout=65",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
      "referrer-policy": "same-origin",
      "strict-transport-security": "max-age=63072000; includeSubDomains",
      vary: "Accept-Language, Accept-Encoding",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(answer.text.match(/<script\s/g)).toHaveLength(1);
    expect(answer.text).toContain(`<script nonce="${nonce}">`);
    expect(answer.text).not.toMatch(/https?:\/\/|url\(|@import|<(object|embed|base)|\sstyle=|\son\w+="/);
    expect((await host.ask("GET", `/checkout/${token}`)).text).not.toContain(nonce);
  });

  test("is with the card fields and their script at most 60 kB, compressed", async () => {
    const seller = await makeAccount();
    const page = await host.ask("GET", `/checkout/${await makeLink(seller)}`);
    const [, key = ""] = /data-key="([^"]+)"/.exec(page.text) ?? [];
    const fields = await host.ask("GET", `/fields?${new URLSearchParams({ key, parent: host.url })}`);
    expect(fields.status).toBe(200);
    const mount = await host.ask("GET", "/fields.js");
    const sizes = [page, fields, mount].map(({ text }) => gzipSync(text).length);
    expect(sizes[0]).toBeLessThan(20_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  test("is sent compressed only to a browser that takes it so", async () => {
    const token = await makeLink(await makeAccount());
    const read = async (encoding: string) =>
      fetch(`${host.url}/checkout/${token}`, { headers: { "accept-encoding": encoding } });
    expect((await read("identity")).headers.get("content-encoding")).toBeNull();
    expect((await read("gzip")).headers.get("content-encoding")).toBe("gzip");
  });

  test.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", "", "pt-BR"],
    ["en-US,en;q=0.9", "", "en"],
    ["fr,en;q=0.5,pt;q=0.4", "", "en"],
    ["de", "", "pt-BR"],
    ["en-US", "?lang=pt-BR", "pt-BR"],
    ["pt-BR", "?lang=en", "en"],
    ["pt-BR", "?lang=evil", "pt-BR"],
  ])("speaks to %s%s in %3$s", async (language, query, expected) => {
    const token = await makeLink(await makeAccount());
    const { text } = await host.ask("GET", `/checkout/${token}${query}`, { headers: { "accept-language": language } });
    expect(text).toContain(`<html lang="${expected}">`);
    expect(text).toContain(expected === "en" ? "CPF or CNPJ" : "CPF ou CNPJ");
  });

  test("says that a sandbox is one, and a live account's page does not", async () => {
    const { text } = await host.ask("GET", `/checkout/${await makeLink(await makeAccount())}`);
    expect(text).toContain("Ambiente de testes");
    expect(text).toMatch(/<title>\[Teste\] /);
    const live = await makeAccount({ mode: "live" });
    expect((await host.ask("GET", `/checkout/${await makeLink(live)}`)).text).not.toContain("Ambiente de testes");
  });
});

describe("the form without its script", () => {
  test("leads to the page of the payment, whose code is the one of the sale", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const sent = await send(token, {}, "?lang=en");
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toMatch(/&lang=en$/);
    const payment = paymentIn(sent);
    const page = await host.ask("GET", `/checkout/${token}?payment=${payment}`);
    const { json } = await host.ask("GET", `${api}/${token}/status?payment=${payment}`);
    const { pix_code, seconds_left } = json.data as { pix_code: string; seconds_left: number };
    expect(page.text).toContain(`<input id="code" value="${pix_code}"`);
    expect(page.text).toContain('<noscript><meta http-equiv="refresh"');
    expect(seconds_left).toBeGreaterThan(29 * 60);
    expect(page.text, "nothing of the payer is shown to whoever has the address").not.toMatch(/Zélia|zelia@|529/);
  });

  test("keeps what was typed and says at each field what is wrong, in the visitor's language", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { collect_address: true });
    const typed = { name: "", email: `"><b>x`, document: "529.982.247-24", phone: "1", postal_code: "0131" };
    const answer = await send(token, { ...typed, state: "ZZ", attempt: newId() }, "?lang=en");
    expect(answer.status).toBe(422);
    expect(noteOf(answer, "name")).toBe("Enter the full name.");
    expect(noteOf(answer, "email")).toMatch(/^Check the address/);
    expect(noteOf(answer, "document")).toMatch(/^This document is not right/);
    expect(noteOf(answer, "postal_code")).toBe("Use the 8 digits of the CEP.");
    expect(noteOf(answer, "state")).toMatch(/letters or the name/);
    expect(noteOf(answer, "street")).toBe("Enter the street.");
    expect(noteOf(answer, "form")).toBe("Check the marked fields.");
    expect(inputOf(answer, "email")).toBe("&quot;>&lt;b>x");
    expect(inputOf(answer, "document")).toBe("529.982.247-24");
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0 });
  });

  test.each([
    ["8765-4321", /^Falta o DDD/, /^The area code \(DDD\) is missing/],
    ["(20) 98765-4321", /^Este DDD não existe/, /^This area code \(DDD\) does not exist/],
    ["0800 123 4567", /^Números 0800/, /^0800, 0300/],
    ["(11) 98765-43210", /^Use DDD e número/, /^Use area code and number/],
  ])("says of the phone %j what is wrong with it, in both languages", async (phone, pt, en) => {
    const token = await makeLink(await makeAccount());
    const [portuguese, english] = [await send(token, { phone }), await send(token, { phone }, "?lang=en")];
    expect([portuguese.status, english.status]).toEqual([422, 422]);
    expect(noteOf(portuguese, "phone")).toMatch(pt);
    expect(noteOf(english, "phone")).toMatch(en);
    expect(inputOf(portuguese, "phone")).toBe(phone);
  });

  test("that is sent twice pays once, and after a refusal another attempt begins", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const form = await host.ask("GET", `/checkout/${token}`);
    const attempt = inputOf(form, "attempt") ?? "";
    const answers = await Promise.all([1, 2, 3].map(() => send(token, { attempt })));
    expect(new Set(answers.map(paymentIn)).size).toBe(1);
    const card = await aToken(seller, "4000000000000002");
    const refused = await send(token, { method: "card", card_token: card, attempt: newId() });
    expect(refused.status).toBe(402);
    expect(noteOf(refused, "form")).toMatch(/^O cartão foi recusado/);
    expect(inputOf(refused, "card_token"), "it is spent").toBe("");
    const paid = await send(token, {
      ...{ method: "card", card_token: await aToken(seller), attempt: inputOf(refused, "attempt") ?? "" },
    });
    const receipt = await host.ask("GET", paid.headers.get("location") ?? "");
    expect(receipt.text).toContain('data-status="paid"');
    expect(receipt.text).toContain("Cartão final 1111");
  });

  test("takes no card numbers in its fields, and does not show them again", async () => {
    const seller = await makeAccount();
    const answer = await send(await makeLink(seller), { name: aCard().card.number });
    expect(answer.status).toBe(422);
    expect(noteOf(answer, "form")).toMatch(/^Não escreva o número do cartão/);
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0 });
  });

  test("gets another code for one that ended, once, and none for one that was paid", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller, { max_payments: 1 });
    const { data } = await payAs(token);
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { clockOffsetMs: 31n * 60_000n } }),
    );
    const ended = await host.ask("GET", `/checkout/${token}?payment=${data.payment}`);
    expect(ended.text).toContain("O código expirou");
    const again = () => send(token, { again: "yes" }, `?payment=${data.payment}`);
    const renewed = await Promise.all([again(), again()]);
    const ids = [...new Set(renewed.map(paymentIn))];
    expect(ids).toHaveLength(1);
    await settleAs(seller, ids[0] ?? "");
    expect((await host.ask("GET", `/checkout/${token}?payment=${ids[0]}`)).text).toContain('data-status="paid"');
    const after = await send(token, { again: "yes" }, `?payment=${ids[0]}`);
    expect(paymentIn(after)).toBe(ids[0]);
    const { data: link } = await readPaymentLink(seller.account, token);
    expect(link.payments_count).toBe(1);
    expect((await host.ask("GET", `/checkout/${token}`)).text).toContain("Este link já foi pago");
  });

  test("of a plan enrols, and the code is the first charge's", async () => {
    const seller = await makeAccount();
    const plan = PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method: "qr_code" });
    const { data } = await createPlan(seller.account, plan, call());
    const form = await host.ask("GET", new URL(data.checkout_url).pathname);
    expect(form.text).toContain("a cada 30 dias");
    const attempt = inputOf(form, "attempt") ?? "";
    const sent = await Promise.all([1, 2].map(() => send(data.token, { attempt })));
    expect(new Set(sent.map(paymentIn)).size).toBe(1);
    const payment = paymentIn(sent[0] as Answered);
    const page = await host.ask("GET", `/checkout/${data.token}?payment=${payment}`);
    expect(page.text).toContain("Copiar código Pix");
    const people = await host.ask("GET", `/api/partner/v1/subscription-plans/${data.token}/subscribers`, {
      token: seller.token,
    });
    expect(people.json.data).toMatchObject([{ status: "pending_first_payment", subscriber_name: aPayer.name }]);
  });
});

test("a product is named before its plan: in the offer, the title, the code's page and the receipt; and a plan without one by itself", async () => {
  const seller = await makeAccount();
  const { data: product } = await createProduct(seller.account, ProductInput.parse({ name: "Revista" }), call());
  const plan = PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method: "qr_code", description: "Em papel" });
  const { data } = await createPlan(seller.account, { ...plan, productId: product.reference_id }, call());
  const offer = await host.ask("GET", `/checkout/${data.token}`);
  expect(offer.text).toMatch(/<h1>Revista<\/h1>\s*<p class="description">Mensal · Em papel<\/p>/);
  expect(offer.text).toContain(`Revista – ${seller.account.name}</title>`);

  const payment = paymentIn(await send(data.token, {}));
  const page = `/checkout/${data.token}?payment=${payment}`;
  expect((await host.ask("GET", page)).text).toContain("<span>Revista · Mensal</span>");
  await payCode(seller, payment ?? "");
  const receipt = (await host.ask("GET", page)).text;
  expect(receipt).toContain("<dt>O que foi pago</dt><dd>Revista · Mensal</dd>");
  expect(receipt).not.toMatch(/Mensal\s*[·–-]\s*Revista/);

  const alone = await aPlan(seller, { name: "Avulso" });
  const paid = paymentIn(await send(alone, {}));
  expect((await host.ask("GET", `/checkout/${alone}?payment=${paid}`)).text).toContain("<span>Avulso</span>");
});

test.each([
  ["qr_code", null],
  ["pix_automatico", /autoriza no seu banco os próximos pagamentos por Pix Automático: R\$\u00a049,90 por mês/],
  ["credit_card", /autoriza Loja \d+ a guardar este cartão e a cobrar R\$\u00a049,90 a cada 30 dias/],
])("the page of a plan by %s says what its payer agrees to", async (billing_method, expected) => {
  const { account } = await makeAccount();
  const { data } = await createPlan(account, PlanInput.parse({ name: "Mensal", amount: 49.9, billing_method }), call());
  const { text } = await host.ask("GET", `/checkout/${data.token}`);
  if (expected) expect(text).toMatch(expected);
  else expect(text).not.toMatch(/autoriza/);
});

describe("a card is charged once", () => {
  const statusesOf = async ({ accountId }: Made) => {
    const sales = await forAccount(accountId, (tx) => tx.transaction.findMany({ where: { accountId } }));
    return sales.map(({ status }) => status);
  };
  const cardOf = async (seller: Made) => ({ method: "card", card_token: await aToken(seller) });

  test("by an attempt whose answer was lost, also where its repeat has a fault or another amount", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const attempt = newId();
    await send(token, { ...(await cardOf(seller)), attempt, shown: "132.00" });
    await updatePaymentLink(seller.account, { id: token, amount: 15_000 }, call());
    for (const fault of [{ phone: "1" }, { name: "" }, { shown: "132.00" }]) {
      const repeat = await send(token, { ...(await cardOf(seller)), attempt, ...fault });
      const page = await host.ask("GET", repeat.headers.get("location") ?? "");
      expect(page.text).toContain('data-status="paid"');
    }
    expect(await statusesOf(seller)).toEqual(["completed"]);
  });

  test("by an attempt that is kept until it is answered for good", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const attempt = newId();
    const refused = await send(token, { attempt, phone: "1" });
    expect([refused.status, inputOf(refused, "attempt")]).toEqual([422, attempt]);
    const key = `checkout ${token} ${attempt}`;
    const hash = new Uint8Array(sha256(token));
    const { accountId } = seller;
    await forAccount(accountId, (tx) => tx.idempotencyKey.create({ data: { accountId, key, requestHash: hash } }));
    const repeat = await send(token, { attempt, ...(await cardOf(seller)) });
    expect([repeat.status, inputOf(repeat, "attempt")]).toEqual([409, attempt]);
    expect(noteOf(repeat, "form")).toMatch(/^O pagamento já está em andamento/);
    const other = await send(token, {
      ...(await cardOf(seller)),
      card_token: await aToken(seller, "4000000000000002"),
    });
    expect(inputOf(other, "attempt"), "after a refusal it is another one").toMatch(/^[\w-]{36}$/);
    expect(await statusesOf(seller)).toEqual(["refused"]);
  });

  test("and is not said to be uncharged while the acquirer's answer is awaited", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const form = { attempt: newId(), shown: "132.00" };
    const acquirer = acquirerFor("sandbox");
    if (!acquirer) throw new Error("a sandbox has an acquirer");
    const { charge } = acquirer;
    onTestFinished(() => void Object.assign(acquirer, { charge }));
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const charged = new Promise<void>((resolve) => {
      acquirer.charge = async (asked) => {
        const outcome = await charge.call(acquirer, asked);
        resolve();
        await mayAnswer;
        return outcome;
      };
    });
    const first = send(token, { ...(await cardOf(seller)), ...form });
    await charged;
    await updatePaymentLink(seller.account, { id: token, amount: 15_000 }, call());
    const repeat = await send(token, { ...(await cardOf(seller)), ...form });
    expect(noteOf(repeat, "form")).toMatch(/^O pagamento já está em andamento/);
    answer();
    expect(paymentIn(await first)).not.toBeNull();
    expect(await statusesOf(seller)).toEqual(["completed"]);
  });

  test("and its attempt is answered by the payment also when the link was switched off meanwhile", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const attempt = newId();
    const first = await send(token, { ...(await cardOf(seller)), attempt });
    await updatePaymentLink(seller.account, { id: token, status: "inactive" }, call());
    const repeat = await send(token, { ...(await cardOf(seller)), attempt });
    expect(paymentIn(repeat)).toBe(paymentIn(first));
    expect((await send(token, { ...(await cardOf(seller)), attempt: newId() })).status).toBe(404);
  });

  test("and not in place of a code that was paid meanwhile, whose payment is shown", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const { data } = await payAs(token);
    const form = await host.ask("GET", `/checkout/${token}?replaces=${data.payment}`);
    expect(inputOf(form, "replaces")).toBe(data.payment);
    await settleAs(seller, data.payment);
    await updatePaymentLink(seller.account, { id: token, amount: 15_000 }, call());
    const seen = { attempt: newId(), shown: "150.00", replaces: data.payment };
    const sent = await send(token, { ...(await cardOf(seller)), ...seen });
    expect(paymentIn(sent)).toBe(data.payment);
    expect(await statusesOf(seller)).toEqual(["completed"]);
  });

  test("and by a plan not at an amount or for a period that its payer did not see", async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller, { billing_method: "credit_card" });
    const form = await host.ask("GET", `/checkout/${plan}`);
    const seen = { shown: inputOf(form, "shown") ?? "", shown_days: inputOf(form, "shown_days") ?? "" };
    expect(seen).toEqual({ shown: "49.90", shown_days: "30" });
    for (const change of [{ amount: "499.00" }, { amount: "49.90", periodicity_days: 7 }]) {
      await updatePlan(seller.account, { ...PlanChange.parse(change), id: plan }, call());
      const sent = await send(plan, { ...(await cardOf(seller)), ...seen, attempt: newId() });
      expect(sent.status).toBe(409);
      expect(noteOf(sent, "form")).toMatch(/^O valor mudou/);
    }
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0 });
  });

  test("and no mandate begins whose terms its payer did not read", async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller);
    const form = await host.ask("GET", `/checkout/${plan}`);
    const shown_billing = inputOf(form, "shown_billing") ?? "";
    expect(shown_billing).toBe("qr_code");
    await updatePlan(seller.account, { ...PlanChange.parse({ billing_method: "pix_automatico" }), id: plan }, call());
    const sent = await send(plan, { shown_billing, attempt: newId() });
    expect(sent.status).toBe(409);
    expect(sent.text).toContain("Pix Automático");
    expect(await forAccount(seller.accountId, (tx) => tx.mandate.count())).toBe(0);
  });

  test.each(["pay", "enroll"])(
    "and the API answers a repeat of %s as the first, whatever the offer is now",
    async (verb) => {
      const seller = await makeAccount();
      const token = verb === "pay" ? await makeLink(seller) : await aPlan(seller, { billing_method: "credit_card" });
      const amount = verb === "pay" ? "132.00" : "49.90";
      const body = { ...aPayer, method: "card", attempt: newId(), shown: amount };
      const ask = async () =>
        host.ask("POST", `${api}/${token}/${verb}`, { body: { ...body, card: { token: await aToken(seller) } } });
      const first = await ask();
      expect(first.status).toBe(200);
      if (verb === "pay") await updatePaymentLink(seller.account, { id: token, amount: 15_000 }, call());
      else await updatePlan(seller.account, { ...PlanChange.parse({ amount: "59.90" }), id: token }, call());
      expect((await ask()).json).toEqual(first.json);
    },
  );
});

describe("a code whose time is over", () => {
  test("is followed by one for its own payer, whoever knows the payment's address", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const mine = await payAs(token);
    await payAs(token, { ...personOf(7), attempt: mine.data.payment }, "198.51.100.77");
    const renewed = await send(token, { again: "yes" }, `?payment=${mine.data.payment}`);
    const { data } = await readTransactionV2(seller.accountId, paymentIn(renewed) ?? "");
    expect(data.customer.name).toBe(aPayer.name);
  });

  test("is valid until a day ends, which is read as 23:59 of that day", async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller, { grace_period_days: 2 });
    const { sale } = await enrolled(seller, plan);
    const last = addDays(dayOf(new Date(), "America/Sao_Paulo"), 2);
    const { text } = await host.ask("GET", `/checkout/${plan}?payment=${sale}`);
    expect(text).toMatch(new RegExp(`O código vale até ${Number(last.slice(8))} [a-z]{3} ${last.slice(0, 4)}, 23:59`));
  });

  test("leads to the code in its place, and then to the payment", async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller);
    const { sale } = await enrolled(seller, plan);
    const renewed = await send(plan, { again: "yes" }, `?payment=${sale}`);
    const other = paymentIn(renewed) ?? "";
    expect(other).not.toBe(sale);
    expect(paymentIn(await host.ask("GET", `/checkout/${plan}?payment=${sale}`))).toBe(other);
    await payCode(seller, other);
    expect(paymentIn(await host.ask("GET", `/checkout/${plan}?payment=${sale}`))).toBe(other);
    expect((await host.ask("GET", `/checkout/${plan}?payment=${other}`)).text).toContain('data-status="paid"');
  });

  test("of a subscription that ended leads to the offer, and gives no other code", async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller);
    const { sale } = await enrolled(seller, plan);
    await advance(seller, 10);
    const page = await host.ask("GET", `/checkout/${plan}?payment=${sale}`);
    expect(page.text).toContain("esta cobrança não está mais aberta");
    expect(page.text).not.toContain("Gerar novo código");
    expect(page.text).toContain(`href="/checkout/${plan}"`);
    expect(paymentIn(await send(plan, { again: "yes" }, `?payment=${sale}`))).toBe(sale);
  });
});

test("a payment of a subscription that is paused, or was not upgraded, leads nowhere to subscribe twice", async () => {
  const seller = await makeAccount();
  const [plan, other] = [await aPlan(seller), await aPlan(seller, { amount: "99.90" })];
  const token = await anActive(seller, plan);
  const { account } = await nowOf(seller);
  const { plan_change } = await changePlan(account, { id: token, new_plan_token: other, reason: null }, call());
  const upgrade = plan_change.proration_charge?.payment.identifier ?? "";
  await advance(seller, 8); // the upgrade lapsed
  const lapsed = await host.ask("GET", `/checkout/${other}?payment=${upgrade}`);
  await advance(seller, 20);
  const owed = (await shown(seller, token)).charges[0]?.payment.identifier;
  await pauseSubscription((await nowOf(seller)).account, { id: token, reason: null, resumes_at: null }, call());
  const paused = await host.ask("GET", `/checkout/${plan}?payment=${owed}`);
  for (const { text } of [lapsed, paused]) {
    expect(text).toContain("esta cobrança não está mais aberta");
    expect(text).not.toMatch(/Gerar novo código|Ver a oferta/);
  }
});

describe("where another code is refused", () => {
  const owing = async () => {
    const seller = await makeAccount();
    const plan = await aPlan(seller);
    const token = await anActive(seller, plan);
    await advance(seller, 40); // suspended
    const sale = (await shown(seller, token)).charges[0]?.payment.identifier ?? "";
    return { seller, plan, sale };
  };

  test("a subscriber stays at the payment, and nothing there subscribes again, also of a plan off sale", async () => {
    const { seller, plan, sale } = await owing();
    await updatePlan(seller.account, { ...PlanChange.parse({ status: "inactive" }), id: plan }, call());
    for (let spent = 0; spent < 2; spent += 1) {
      const { subscriptionId } = (await findPayment(plan, sale)).sale;
      await spendSlot("checkout-renew", subscriptionId ?? "");
    }
    const refused = await send(plan, { again: "yes" }, `?payment=${sale}`);
    expect(refused.status).toBe(429);
    expect(noteOf(refused, "form")).toMatch(/^Muitas tentativas seguidas/);
    expect(refused.text).toContain("Gerar novo código");
    expect(refused.text).not.toContain('id="pay"');
  });

  test("because the seller is suspended, the page offers none", async () => {
    const { seller, plan, sale } = await owing();
    const where = { id: seller.accountId };
    await forAccount(seller.accountId, (tx) => tx.account.update({ where, data: { status: "suspended" } }));
    const page = await host.ask("GET", `/checkout/${plan}?payment=${sale}`);
    expect(page.text).not.toContain("Gerar novo código");
    expect(paymentIn(await send(plan, { again: "yes" }, `?payment=${sale}`))).toBe(sale);
  });
});

describe("a live account", () => {
  test("without a rail offers no form, and says so", async () => {
    const seller = await makeAccount({ mode: "live" });
    for (const token of [
      await makeLink(seller),
      await aPlan(seller),
      await aPlan(seller, { billing_method: "credit_card" }),
    ]) {
      const { status, text } = await host.ask("GET", `/checkout/${token}`);
      expect([status, text.includes("Pagamento indisponível"), text.includes("<form")]).toEqual([200, true, false]);
    }
  });

  test("with an acquirer alone sells by card, but no plans, because it has no Pix for what is refused", async () => {
    const before = { CIELO_MERCHANT_ID: env.CIELO_MERCHANT_ID, CIELO_MERCHANT_KEY: env.CIELO_MERCHANT_KEY };
    Object.assign(env, { CIELO_MERCHANT_ID: newId(), CIELO_MERCHANT_KEY: "x".repeat(40) });
    onTestFinished(() => void Object.assign(env, before));
    const seller = await makeAccount({ mode: "live" });
    const plan = await aPlan(seller, { billing_method: "credit_card" });
    expect((await host.ask("GET", `/checkout/${await makeLink(seller)}`)).text).toContain('id="card"');
    expect((await host.ask("GET", `/checkout/${plan}`)).text).toContain("Pagamento indisponível");
    const body = { ...aPayer, card: { token: "tok_unknown" } };
    const { json } = await host.ask("POST", `${api}/${plan}/enroll`, { body });
    expect(json.error).toBe("rail_unavailable");
  });
});

describe("pages that are not there", () => {
  const shape = ({ status, text, headers }: Answered) => ({
    status,
    text: text.replaceAll(/nonce="[\w-]{43}"/g, "").replaceAll(/\/checkout\/[\w-]*\?/g, "/checkout/…?"),
    headers: [...headers].map(([name]) => name),
  });

  test("all look the same: unknown, switched off, of a suspended seller, and a payment of another page", async () => {
    const seller = await makeAccount();
    const off = await makeLink(seller);
    await updatePaymentLink(seller.account, { id: off, status: "inactive" }, call());
    const suspended = await makeAccount();
    const theirs = await makeLink(suspended);
    const where = { id: suspended.accountId };
    await forAccount(suspended.accountId, (tx) => tx.account.update({ where, data: { status: "suspended" } }));
    const [one, other] = [await makeLink(seller), await makeLink(seller)];
    const { data } = await payAs(other);
    const nobodys = shape(await host.ask("GET", `/checkout/${newId()}`));
    expect(nobodys.status).toBe(404);
    for (const path of [off, theirs, "x".repeat(36), "x".repeat(36)]) {
      expect(shape(await host.ask("GET", `/checkout/${path}`)), path).toEqual(nobodys);
      expect(shape(await send(path, {})), path).toEqual(nobodys);
    }
    const ofOther = await host.ask("GET", `/checkout/${one}?payment=${data.payment}`);
    expect(ofOther.status).toBe(404);
    expect(ofOther.text).toContain("Página não encontrada");
    const asked = (await Promise.all(
      [newId(), off, theirs].map((token) => host.ask("GET", `${api}/${token}`)),
    )) as Answered[];
    expect(new Set(asked.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(asked[0]?.status).toBe(404);
  });
});

describe("the public calls", () => {
  test("answer what a link offers and nothing that is the seller's alone", async () => {
    const token = await makeLink(await makeAccount());
    const { json } = await host.ask("GET", `${api}/${token}`);
    expect(Object.keys(json.data as object).sort()).toEqual(
      [
        ...["token", "kind", "status", "mode", "name", "description", "image_url", "seller", "amount"],
        ...["periodicity_days", "methods", "collect_address"],
      ].sort(),
    );
  });

  test("take the amount from the server, whatever is sent", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const body = { ...aPayer, method: "pix", amount: 0.01, installments: 12, split: [], plan_token: newId() };
    const { status, json } = await host.ask("POST", `${api}/${token}/pay`, { body });
    expect(status).toBe(200);
    const { payment } = json.data as { payment: string };
    const read = await host.ask("GET", `${api}/${token}/status?payment=${payment}`);
    expect(read.json.data).toMatchObject({ amount: "132.00", status: "pending" });
  });

  test("let two hundred people behind one address pay in one minute, and each ask how it stands", async () => {
    const seller = await makeAccount();
    const token = await makeLink(seller);
    const headers = { "x-forwarded-for": someAddress() };
    const body = { ...aPayer, method: "pix" };
    const statuses = new Set<number>();
    for (let wave = 0; wave < 10; wave += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => host.ask("POST", `${api}/${token}/pay`, { body, headers })),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
  });

  test("refuse an address above its limit, by the API and by the page, and spend nothing of the link's then", async () => {
    const { TRUSTED_PROXIES } = env;
    Object.assign(env, { TRUSTED_PROXIES: 1 });
    onTestFinished(() => void Object.assign(env, { TRUSTED_PROXIES }));
    const token = await makeLink(await makeAccount());
    const headers = { "x-forwarded-for": someAddress() };
    for (let spent = 0; spent < 300; spent += 1) await spendSlot("checkout-pay-address", headers["x-forwarded-for"]);
    const body = { ...aPayer, method: "pix" };
    expect((await host.ask("POST", `${api}/${token}/pay`, { body, headers })).status).toBe(429);
    const page = await host.ask("POST", `/checkout/${token}`, { body, headers });
    expect(page.status).toBe(429);
    expect(page.text).toContain("<title>Muitas visitas ao mesmo tempo</title>");
    expect(page.text).toContain('<p class="muted" id="notice">Espere um minuto e tente de novo.</p>');
    expect(await countSlots("checkout-pay", token)).toBe(0);
  });
});
