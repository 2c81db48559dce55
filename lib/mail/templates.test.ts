import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { letterOf } from "@/lib/mail/letter";
import { mailerOf } from "@/lib/mail/mailers";
import { renderMail } from "@/lib/mail/render";
import { MailContent, type Template } from "@/lib/mail/templates";
import { contents } from "@/lib/testing/mails";
import { serveSmtp } from "@/lib/testing/smtp";
import { locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

let server: Awaited<ReturnType<typeof serveSmtp>>;
beforeAll(async () => {
  server = await serveSmtp();
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(() => server.close());

/** Sends a mail over SMTP, and returns it as a mail program reads it. */
async function received(content: MailContent, locale: (typeof locales)[number], mode: "live" | "sandbox" | null) {
  const id = newId();
  const message = { id, to: "ana@example.com", from: env.MAIL_FROM, ...renderMail(content, locale, mode) };
  expect(await mailerOf({ staysHere: false }).send(message)).toEqual({ error: null });
  const [one] = server.received.splice(0);
  if (!one) throw new Error("Nothing arrived");
  const html = one.mail.html || "";
  const text = (one.mail.text ?? "").replaceAll("\u200b", "");
  return { ...one, id, html, text, subject: one.mail.subject ?? "" };
}

const cases = locales.flatMap((locale) =>
  (Object.keys(contents) as Template[]).map((template) => ({ template, locale, content: contents[template] })),
);

describe.each(cases)("$template in $locale", ({ template, locale, content }) => {
  test("arrives with a subject, as text and as HTML that says the same, and loads nothing", async () => {
    const { subject, text, html, to, id, mail } = await received(content, locale, "live");
    expect(to).toEqual(["ana@example.com"]);
    expect(mail.messageId).toContain(id);
    expect(subject.length).toBeGreaterThan(10);
    expect(subject).not.toMatch(/teste?\b/i);
    for (const form of [subject, text, html]) expect(form).not.toMatch(/undefined|\[object|\{\w+[,}]/);
    const plain = html.replaceAll("\u200b", "").replace(/<[^>]+>/g, " ");
    const names = Object.entries(content).filter(([name]) => /^(seller|plan|recipient|product|title|name)$/.test(name));
    for (const [, name] of names) expect([text, plain].every((form) => form.includes(String(name)))).toBe(true);
    const links = Object.entries(content).filter(([name]) => /url$/i.test(name));
    for (const [, url] of links) {
      expect(text).toContain(url);
      expect(html).toContain(`href="${url}"`);
    }
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|embed|video|audio|source)\b|\bsrc=|url\(|@import|background=/i,
    );
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(href.startsWith(`${env.APP_URL}/`)).toBe(true);
    expect(html).toContain(`<html lang="${locale}"`);
  });

  test("says that it is a test when a sandbox sends it, in the subject, the text and the HTML", async () => {
    const { subject, text, html } = await received(content, locale, "sandbox");
    expect(subject).toMatch(locale === "en" ? /^\[Test\] / : /^\[Teste\] /);
    const band = locale === "en" ? /^TEST: / : /^TESTE: /;
    expect(text).toMatch(band);
    expect(html).toMatch(locale === "en" ? />TEST: / : />TESTE: /);
  });

  test("has nothing of one language in the other", async () => {
    const { html } = await received(content, locale, null);
    expect(html).toContain(locale === "en" ? "You received this message" : "Você recebeu esta mensagem");
  });

  test(`is read back from what was stored of it (${template})`, () => {
    expect(MailContent.parse(JSON.parse(JSON.stringify(content)))).toEqual(content);
  });
});

test.each(locales)("every template has a name of its own in the operator's list of mails in %s", (locale) => {
  const names: Record<string, string> = catalogues[locale].mails.templates;
  const templates = MailContent.options.map(({ shape }) => shape.template.value);
  expect(templates.filter((template) => !names[template])).toEqual([]);
  expect(Object.keys(names).sort()).toEqual([...templates].sort());
  expect(new Set(Object.values(names)).size).toBe(templates.length);
});

test("a product is named before its plan in every mail that names both", () => {
  const both = cases.filter(({ content }) => "plan" in content && "product" in content);
  expect(both.length).toBeGreaterThan(4);
  for (const { content, locale } of both) {
    const labels = letterOf({ ...content, product: "Revista" } as MailContent, locale).facts.map(([label]) => label);
    const { product, plan } = catalogues[locale].mail.labels;
    expect(labels, content.template).toContain(product);
    expect(labels.indexOf(plan) - labels.indexOf(product), content.template).toBe(1);
  }
});

test("amounts, shares and periods are written as people write them", async () => {
  const pt = await received(contents.split_invited, "pt-BR", "live");
  expect(pt.text.replaceAll("\u00a0", " ")).toContain("R$ 49,90 a cada 30 dias");
  expect(pt.text).toContain("12,5%");
  const en = await received({ ...contents.split_invited, periodicityDays: 1, percentage: 25 }, "en", "live");
  expect(en.text).toContain("per day");
  expect(en.text.replaceAll("\u00a0", " ")).toContain("0.25 %");
  expect((await received(contents.password_changed, "pt-BR", "live")).text).toContain("20 nov 2026, 14:05");
  expect((await received(contents.password_changed, "en", "live")).text).toContain("20 Nov 2026, 14:05");
});

test.each([
  ["charge_due", false, "vence em 20 nov 2026", "is due on 20 Nov 2026"],
  ["charge_due", true, "vence hoje, 20 nov 2026", "is due today, 20 Nov 2026"],
  ["card_failed", true, "vence hoje, 20 nov 2026", "is due today, 20 Nov 2026"],
  ["charge_overdue", false, "venceu em 20 nov 2026", "was due on 20 Nov 2026"],
] as const)("a charge that is not paid says its day, %s (today: %s)", async (template, isDueToday, pt, en) => {
  const content = { ...contents[template], isDueToday };
  expect((await received(content, "pt-BR", "live")).text).toContain(pt);
  expect((await received(content, "en", "live")).text).toContain(en);
});

test("a mail that was stored by a release that said less of its charge is still rendered", () => {
  const { seller, plan, name, amount, dueDay, url } = contents.charge_due;
  const stored = MailContent.parse({ template: "card_failed", seller, plan, name, amount, dueDay, url });
  const { text, subject } = renderMail(stored, "pt-BR", "live");
  expect(subject).toContain("o cartão recusou a cobrança");
  expect(text).not.toMatch(/undefined|null|23:59/);
});

describe("each step of the ladder says what is new", () => {
  const said = (overrides: Partial<(typeof contents)["charge_due"]>, template: "charge_due" | "charge_overdue") => {
    const content = { ...contents.charge_due, method: "qr_code" as const, ...overrides, template };
    const { subject, text } = renderMail(content, "pt-BR", "live");
    return { subject, text: `${subject} ${text}`.replaceAll("\u200b", "").replaceAll("\u00a0", " ") };
  };

  test("no two steps have the same words, and each says until when the code is valid and when it is suspended", () => {
    const steps = [
      said({}, "charge_due"),
      said({ notice: "reminder" }, "charge_due"),
      said({ notice: "reminder", isDueToday: true }, "charge_due"),
      said({ notice: "fresh_code" }, "charge_overdue"),
      said({ notice: "reminder" }, "charge_overdue"),
      said({ notice: "fresh_code", isLast: true }, "charge_overdue"),
    ];
    expect(new Set(steps.map(({ subject }) => subject)).size).toBe(steps.length);
    for (const { text } of steps) {
      expect(text).toContain("27 nov 2026, 23:59");
      expect(text).toContain("a assinatura é suspensa em 28 nov 2026");
      expect(text).not.toMatch(/cartão/i);
    }
    expect(steps.map(({ text }) => /último aviso/i.test(text))).toEqual([false, false, false, false, false, true]);
  });

  test("a refusal says when it is tried again, and only where a card is charged it speaks of one", () => {
    const refused = (overrides: object, locale: "pt-BR" | "en" = "pt-BR") =>
      ["subject", "text"]
        .map((form) => renderMail({ ...contents.card_failed, ...overrides }, locale, "live")[form as "text"])
        .join(" ");
    expect(refused({})).toContain("Tentamos de novo em 22 nov 2026");
    expect(refused({ isLast: true })).toContain("a assinatura é suspensa nesse dia");
    expect(refused({})).toContain("troque o cartão");
    const debit = { method: "pix_automatico" as const, payerUrl: contents.charge_due.payerUrl };
    expect(refused(debit)).not.toMatch(/cartão/i);
    expect(refused(debit, "en")).not.toMatch(/\bcard\b/i);
    const receipt = renderMail({ ...contents.charge_paid, method: "qr_code" }, "pt-BR", "live").text;
    expect(receipt).toContain("Você pode cancelar quando quiser");
    expect(receipt).not.toMatch(/cartão/i);
  });
});

test("a receipt of what was cancelled says until when it is valid, and offers no cancelling", () => {
  const receipt = (overrides: object) => renderMail({ ...contents.charge_paid, ...overrides }, "pt-BR", "live").text;
  const ending = receipt({ lastDay: "2026-12-19" });
  expect(ending).toContain("A assinatura foi cancelada: ela vale até 19 dez 2026");
  expect(receipt({ isCancelled: true })).toContain("A assinatura já foi cancelada");
  for (const text of [ending, receipt({ isCancelled: true })]) expect(text).not.toMatch(/quando quiser|em dia/);
});

test.each([
  ["payer", "Recebemos o seu pedido", "Se não foi você quem pediu"],
  ["seller", "Ateliê Aurora cancelou a sua assinatura", "Se tiver dúvidas"],
] as const)("an end says who asked for it: the %s", (by, asked, help) => {
  for (const content of [
    { ...contents.subscription_ending, by },
    { ...contents.subscription_cancelled, by },
  ]) {
    const text = renderMail(content, "pt-BR", "live").text.replaceAll("\u200b", "");
    expect(text).toContain(asked);
    expect(text).toContain(help);
    expect(text.replaceAll("\u00a0", " ")).toContain(
      "A cobrança de R$ 49,90, que estava em aberto, não precisa ser paga.",
    );
  }
});

test.each(["account_approved", "account_changed"] as const)(
  "%s says fees, limits and features in words; those of cards only to who has them",
  async (template) => {
    const said = async (content: MailContent, locale: (typeof locales)[number]) =>
      (await received(content, locale, "live")).text.replaceAll("\u00a0", " ");
    const pt = await said(contents[template], "pt-BR");
    expect(pt).toContain("Taxa do Pix: 1,99%, no mínimo R$ 0,50");
    expect(pt).toContain("Taxa do cartão: 3,99% + R$ 0,39");
    expect(pt).toContain("Dinheiro do cartão: disponível 30 dias depois da venda");
    expect(pt).toContain("Recursos: Pix, cartões, recorrência");
    expect(pt).toMatch(/Espaço para dados: até 102\.400 MB em 30 dias/);
    const en = await said(contents[template], "en");
    expect(en).toContain("Card money: available 30 days after the sale");
    expect(en).toMatch(/Space for data: up to 102,400 MB in 30 days/);
    expect(pt, "to who can ask for none").not.toContain("Taxa do estorno");
    const withRefunds: MailContent = { ...contents[template], features: ["refunds"] };
    expect(await said(withRefunds, "pt-BR")).toContain("Taxa do estorno: R$ 1,50");
    expect(await said(withRefunds, "en")).toContain("Refund fee: R$ 1.50");
    const withoutCards = await said({ ...contents[template], features: [], cardSettlementDays: 1 }, "pt-BR");
    expect(withoutCards).not.toMatch(/Taxa do cartão|Dinheiro do cartão/);
  },
);

test("an approval's mail that was stored before it had limits is still rendered, without them", async () => {
  const { cardSettlementDays: _, storageLimitMb: __, ...stored } = contents.account_approved;
  const content = MailContent.parse({ ...stored, pixFee: { basisPoints: 199, fixed: 0 } });
  const { text } = await received(content, "pt-BR", "live");
  expect(text).toContain("1,99%");
  expect(text).not.toMatch(/Espaço para dados|Dinheiro do cartão|no mínimo/);
});

test("a mail that was stored before a method of payment, and before refunds had a fee, is still rendered, without them", async () => {
  const { cardFee: _, refundFee: __, ...stored } = { ...contents.account_changed, features: ["cards", "refunds"] };
  const { text } = await received(MailContent.parse(stored), "pt-BR", "live");
  expect(text).toContain("Taxa do Pix");
  expect(text).toContain("Recursos: Pix, cartões, estornos");
  expect(text).not.toMatch(/Taxa do cartão|Taxa do estorno|undefined|null/);
});

describe("what people write in names", () => {
  const hostile =
    'Eva\r\nBcc: eva@evil.example\r\n\r\n<img src=x onerror=alert(1)> "&\u202emoc.live https://evil.example {plan}';
  const content = {
    ...contents.split_invited,
    seller: hostile,
    plan: hostile,
    sellerEmail: "eva@evil.example\r\nX: y",
  };

  test("reaches no header: neither a line nor a recipient is added", async () => {
    const { raw, to, mail, subject } = await received(content, "pt-BR", "sandbox");
    expect(to).toEqual(["ana@example.com"]);
    expect([...mail.headers.keys()].sort()).toEqual(
      ["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject", "to"].sort(),
    );
    expect(subject).not.toMatch(/\p{Cc}|\u202e/u);
    expect(raw.split("\r\n\r\n")[0]).not.toMatch(/^(bcc|x):/im);
  });

  test("is text in the HTML, and makes no link but ours", async () => {
    const { html } = await received(content, "pt-BR", "live");
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
    expect(html).not.toContain("https://evil.example");
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(href.startsWith(env.APP_URL)).toBe(true);
  });

  test("begins no paragraph that looks like ours, and stays short", async () => {
    const { text } = await received({ ...content, seller: `Eva\n\n${"a".repeat(100_000)}` }, "pt-BR", "live");
    expect(text).not.toMatch(/Eva\n/);
    expect(text.length).toBeLessThan(3_000);
  });
});

test("a link to another site is never sent", () => {
  for (const url of [
    "https://evil.example/",
    "javascript:alert(1)",
    "//evil.example",
    `${env.APP_URL}.evil.example/`,
  ]) {
    const content = { ...contents.reset_password, url };
    expect(() => renderMail(content, "en", null), url).toThrow("leads to another site");
  }
});

test("an adapter that is given line breaks lets none into a header or the envelope", async () => {
  const rendered = renderMail(contents.split_cancelled, "en", null);
  const evil = "eva@evil.example\r\nRCPT TO:<bob@evil.example>";
  const sent = await mailerOf({ staysHere: false }).send({ id: newId(), from: env.MAIL_FROM, ...rendered, to: evil });
  const toOthers = server.received.flatMap(({ to }) => to).filter((address) => address.includes("bob"));
  expect([sent.error === null, toOthers]).toEqual([false, []]);
  const from = 'Eva\r\nBcc: bob@evil.example" <eva@example.com>';
  await mailerOf({ staysHere: false }).send({
    id: newId(),
    to: "ana@example.com",
    ...rendered,
    from,
    subject: "a\r\nBcc: bob@evil.example",
  });
  for (const { raw, to } of server.received) {
    expect(raw.split("\r\n\r\n")[0]).not.toMatch(/^bcc:/im);
    expect(to).toEqual(["ana@example.com"]);
  }
});
