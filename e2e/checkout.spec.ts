import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { PlanChange } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";
import { begin, cardIn, expireNow, fillPayer, link, paymentOf, payNow, typeCardIn } from "./checkout";
import { expect, type Page, payInFull, type Seller, test } from "./fixtures";
import { list } from "./shop";
import { plan, product } from "./splits";

/** A refused card, a fault, and a network that is cut are logged by the browser. */
test.use({ allowErrors: /status of (4\d\d|50[23])|net::ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET)/ });

/** Sees that the page shows a payment within two seconds. */
const isPaid = (page: Page) => expect(page.getByRole("heading", { name: "Pago" })).toBeVisible({ timeout: 2_000 });

for (const [name, viewport] of [
  ["on a phone", { width: 360, height: 740 }],
  ["on a desktop", { width: 1280, height: 900 }],
] as const) {
  test(`a link is paid by Pix ${name}, and both open screens show it within two seconds`, async ({ page, seller }) => {
    await page.setViewportSize(viewport);
    const token = await link(seller);
    await page.goto(`/checkout/${token}`);
    await fillPayer(page);
    await expect(page.getByLabel("CPF ou CNPJ")).toHaveValue("529.982.247-25");
    await expect(page.getByLabel("Celular")).toHaveValue("(11) 98765-4321");
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeFocused();
    const [copy, qr] = [
      page.getByRole("button", { name: "Copiar código Pix" }),
      page.getByRole("img", { name: "QR Code" }),
    ];
    const [above, below] = [await copy.boundingBox(), await qr.boundingBox()];
    if (viewport.width < 640) expect(above?.y).toBeLessThan(below?.y ?? 0);
    else expect(below?.y).toBeLessThan(above?.y ?? 0);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await copy.click();
    await expect(page.getByRole("button", { name: "Código copiado" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.locator("#code").inputValue());
    await expect(page.getByText(/O código vale por 29:\d\d/)).toBeVisible();

    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect(other.getByText("Aguardando o pagamento")).toBeVisible();
    await payNow(seller, paymentOf(page));
    await Promise.all([isPaid(page), isPaid(other)]);
    await expect(page.getByRole("heading", { name: "Recibo" })).toBeVisible();
    await expect(page.getByText(/^E99999999/)).toBeVisible();
    await other.reload();
    await expect(other.getByRole("heading", { name: "Pago" })).toBeVisible();
  });
}

test("a card pays in our own fields without a listed domain, and one that is refused keeps what was typed", async ({
  page,
  seller,
}) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  await fillPayer(page);
  await page.getByLabel("Cartão").check();
  await expect(page.getByRole("button", { name: "Pagar R$" })).toBeVisible();
  await typeCardIn(page, "4000000000000002");
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByText("O cartão foi recusado")).toBeVisible();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await typeCardIn(page);
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  await expect(page.getByText("Cartão final 1111")).toBeVisible();
  const { data } = await seller.api<{ data: { payments_count: number } }>(
    "GET",
    `/api/partner/v1/payment-links/${token}`,
  );
  expect(data.payments_count).toBe(1);
});

test("a code that ends is followed by a new one, which is paid", async ({ page, seller }) => {
  const token = await link(seller, { max_payments: 1 });
  const first = await begin(seller, token);
  await page.goto(`/checkout/${token}?payment=${first}`);
  await expireNow(seller, first);
  await expect(page.getByRole("heading", { name: "O código expirou" })).toBeVisible();
  await page.getByRole("button", { name: "Gerar novo código" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  expect(paymentOf(page)).not.toBe(first);
  await payNow(seller, paymentOf(page));
  await isPaid(page);
  await page.goto(`/checkout/${token}`);
  await expect(page.getByRole("heading", { name: "Este link já foi pago" })).toBeVisible();
});

for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const) {
  test(`what is pasted with invisible marks, dashes and dialled zeros is understood at ${width} px, and no digit is left out`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(`/checkout/${await link(seller, { collect_address: true })}`);
    await fillPayer(page);
    const phone = page.getByLabel("Celular");
    await phone.fill("\u202a0 15 11 98765\u20114321\u202c");
    await expect(phone).toHaveValue("(11) 98765-4321");
    await phone.fill("(11) 98765-43210");
    await expect(phone).toHaveValue("(11) 98765-43210");
    await page.getByLabel("CPF ou CNPJ").fill("529.982.247\u201325");
    await expect(page.getByLabel("CPF ou CNPJ")).toHaveValue("529.982.247-25");
    await page.getByLabel("CEP").fill("０１３１０１００");
    await expect(page.getByLabel("CEP")).toHaveValue("01310-100");
    for (const name of ["Rua ou avenida", "Número", "Bairro", "Cidade"]) {
      await page.getByLabel(name, { exact: true }).fill("A");
    }
    await page.getByLabel("UF").fill("São Paulo");
    const send = page.getByRole("button", { name: "Gerar código Pix" });
    await send.click();
    await expect(page.getByText("Use DDD e número")).toBeVisible();
    await expect(phone).toBeFocused();
    await phone.fill("0800 123 4567");
    await send.click();
    await expect(page.getByText("Números 0800, 0300, 0500 e 0900 não servem")).toBeVisible();
    await phone.fill("");
    await phone.pressSequentially("8765-4321");
    await expect(phone, "no area code is made of its first digits").toHaveValue("8765-4321");
    await send.click();
    await expect(page.getByText("Falta o DDD")).toBeVisible();
    await phone.fill("+55 (0)11 98765-4321");
    await send.click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
    const { data } = await seller.api<{ data: object }>("GET", `/api/partner/v2/transactions/${paymentOf(page)}`);
    expect(data).toMatchObject({
      customer: { phone: "11987654321", document: "52998224725" },
      delivery_address: { postal_code: "01310100", state: "SP" },
    });

    const payment = paymentOf(page);
    await page.getByRole("link", { name: "Pagar de outro jeito" }).click();
    await expect(page.getByLabel("CEP"), "another way to pay asks for nothing twice").toHaveValue("01310-100");
    await expect(page.getByLabel("Celular")).toHaveValue(/98765-4321/);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();

    await page.goto(`/transactions/${payment}`);
    await expect(page.getByText("01310-100").first(), "the seller sees where to send it").toBeVisible();
    await page.locator("#content summary", { hasText: "JSON completo" }).click();
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(tooWide, "a long code scrolls in its own box").toBe(false);
  });

  test(`a link that was paid more often than it may says so to its seller at ${width} px`, async ({ page, seller }) => {
    const token = await link(seller);
    for (const _ of [1, 2]) await payInFull(seller, await begin(seller, token));
    await seller.api("PATCH", `/api/partner/v1/payment-links/${token}`, { max_payments: 1 });
    await page.setViewportSize({ width, height });
    await page.goto(`/payment-links/${token}`);
    const notice = page.getByRole("region", { name: "Pagamentos além do limite" });
    await expect(notice).toContainText("Este link recebeu 1 pagamento além do limite de 1.");
    await expect(page.getByText("2 de 1").first()).toBeVisible();
  });
}

test("everything is done by keyboard alone: a fault is focused, corrected, and the code copied", async ({
  page,
  seller,
}) => {
  await page.goto(`/checkout/${await link(seller)}`);
  const type = async (text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  };
  await page.keyboard.press("Tab");
  for (const text of ["Zélia Prado", "zelia@example.com", "52998224724", ""]) await type(text);
  await expect(page.getByLabel("Pix")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Gerar código Pix" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("O documento não confere")).toBeVisible();
  await expect(page.getByLabel("CPF ou CNPJ")).toBeFocused();
  await page.keyboard.press("Backspace");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copiar código Pix" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Código copiado").first()).toBeVisible();
  await payNow(seller, paymentOf(page));
  await isPaid(page);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeFocused();
});

test("with the network cut in the middle nothing that was typed is lost, and it goes on when it is back", async ({
  page,
  context,
  seller,
}) => {
  await page.goto(`/checkout/${await link(seller)}`);
  await fillPayer(page);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByText("Não houve resposta. Confira a conexão")).toBeVisible();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("Sem conexão. Continuamos tentando.")).toBeVisible();
  await payNow(seller, paymentOf(page));
  await context.setOffline(false);
  await isPaid(page);
});

test("a lost answer costs no second payment: the same attempt is sent again", async ({ page, seller }) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  await fillPayer(page);
  let isLost = false;
  await page.route(`**/checkout/${token}`, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByText("Não houve resposta. Confira a conexão")).toBeVisible();
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  const { data } = await seller.api<{ data: unknown[] }>("GET", "/api/partner/v2/transactions");
  expect(data).toHaveLength(1);
});

/** Fills the whole form and pays by card. */
async function payByCard(page: Page) {
  await fillPayer(page);
  await page.getByLabel("Cartão").check();
  await typeCardIn(page);
  await page.getByRole("button", { name: "Pagar R$" }).click();
}

const paidOf = async (seller: Seller) =>
  (await seller.api<{ data: { status: string }[] }>("GET", "/api/partner/v2/transactions")).data.map(
    ({ status }) => status,
  );

test("a proxy's page in place of the answer keeps the form, and the card is charged once", async ({ page, seller }) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  let isLost = false;
  await page.route(`**/checkout/${token}`, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ status: 502, contentType: "text/html", body: "<html><body><h1>502 Bad Gateway</h1>" });
  });
  await payByCard(page);
  await expect(page.getByText("Não houve resposta. Confira a conexão")).toBeVisible();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  expect(await paidOf(seller)).toEqual(["completed"]);
});

test("a page that is loaded again while the card is charged charges it once", async ({ page, seller }) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  const { charged } = await holdAnswer(page, token);
  await payByCard(page);
  await charged;
  await page.reload();
  await payByCard(page);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  expect(await paidOf(seller)).toEqual(["completed"]);
  await page.getByRole("link", { name: "Fazer outro pagamento" }).click();
  await payByCard(page);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  expect(await paidOf(seller), "the next payment is another one").toEqual(["completed", "completed"]);
});

/** Lets the server take the first form that is sent, and never answers it. Returns a promise that resolves once it was taken. */
async function holdAnswer(page: Page, token: string) {
  let resolve = () => {};
  const promise = new Promise<void>((taken) => {
    resolve = taken;
  });
  let isHeld = false;
  await page.route(`**/checkout/${token}`, async (route) => {
    if (isHeld || route.request().method() !== "POST") return route.continue();
    isHeld = true;
    await route.fetch({ maxRedirects: 0 });
    resolve();
  });
  return { charged: promise };
}

test("a form that is loaded again as its payment is answered shows the payment", async ({ page, seller }) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  await payByCard(page);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  await page.evaluate(() => {
    history.replaceState(null, "", location.pathname);
    location.reload();
  });
  await expect(page).toHaveURL(/payment=/);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  await page.goto(`/checkout/${token}`);
  await expect(page.getByLabel("Nome completo"), "a link that is opened anew takes another payment").toHaveValue("");
});

for (const [name, viewport] of [
  ["a phone", { width: 360, height: 740 }],
  ["a desktop", { width: 1280, height: 900 }],
] as const) {
  test(`back after a payment shows that it is paid, on ${name}`, async ({ page, seller }) => {
    await page.setViewportSize(viewport);
    const token = await link(seller);
    await page.goto("/sign-in");
    await page.goto(`/checkout/${token}`);
    await payByCard(page);
    await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/payment=/);
    await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Pagar" })).toBeHidden();
    await page.goBack();
    await expect(page, "one step more leaves the checkout").not.toHaveURL(/checkout/);
    await page.goForward();
    await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
    expect(await paidOf(seller)).toEqual(["completed"]);
  });

  test(`back from an open code keeps what was typed and leads to the code, on ${name}`, async ({ page, seller }) => {
    await page.setViewportSize(viewport);
    const token = await link(seller);
    await page.goto(`/checkout/${token}`);
    await fillPayer(page);
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
    const payment = paymentOf(page);
    await page.goBack();
    await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
    await expect(page.getByLabel("CPF ou CNPJ")).toHaveValue("529.982.247-25");
    await page.getByRole("link", { name: "Voltar ao código Pix" }).click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
    expect(paymentOf(page)).toBe(payment);
    await page.goBack();
    await page.getByLabel("Cartão").check();
    await fillPayer(page);
    await typeCardIn(page);
    await page.getByRole("button", { name: "Pagar R$" }).click();
    await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
    expect((await paidOf(seller)).sort(), "the code's place is taken").toEqual(["completed", "expired"]);
  });
}

test("back from the open code of a plan shows that code, and so does the other language", async ({ page, seller }) => {
  const { data } = await plan(seller, await product(seller));
  await page.goto(`/checkout/${data.token}`);
  await fillPayer(page);
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  const payment = paymentOf(page);
  await page.goBack();
  await expect(page).toHaveURL(/payment=/);
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Pay with Pix" })).toBeVisible();
  expect(paymentOf(page)).toBe(payment);
});

test("a payment whose page could not be shown is not made again by the same payer, and is by another one", async ({
  page,
  seller,
}) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  let isLost = false;
  await page.route(`**/checkout/${token}`, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ status: 303, headers: { location: `/checkout/${newId()}` } });
  });
  await payByCard(page);
  await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
  await page.goto(`/checkout/${token}`); // the shop's tablet, for the next person
  await fillPayer(page);
  await page.getByLabel("CPF ou CNPJ").fill("11144477735");
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
  await page.goto(`/checkout/${token}`);
  await payByCard(page);
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
  expect((await paidOf(seller)).sort()).toEqual(["completed", "pending"]);
});

test("a plan that is billed in another way by now shows the form that it has, with what was typed", async ({
  page,
  seller,
}) => {
  const { data } = await plan(seller, await product(seller));
  await page.goto(`/checkout/${data.token}`);
  await fillPayer(page);
  await updatePlan(
    seller.account,
    { ...PlanChange.parse({ billing_method: "credit_card" }), id: data.token },
    { idem: undefined, requestId: newId() },
  );
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByText("a guardar este cartão e a cobrar")).toBeVisible();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await typeCardIn(page);
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible();
});

test("where too many pay at once, what was typed stays and is sent later", async ({ page, seller }) => {
  const token = await link(seller);
  await page.goto(`/checkout/${token}`);
  await fillPayer(page);
  let isBusy = true;
  await page.route(`**/checkout/${token}`, async (route) => {
    if (!isBusy || route.request().method() !== "POST") return route.continue();
    isBusy = false;
    const answer = await page.request.get(`/checkout/${token}?payment=x`);
    const body = (await answer.text()).replace(/(id="notice">)[^<]*/, "$1Espere um minuto e tente de novo.");
    await route.fulfill({ status: 429, contentType: "text/html; charset=utf-8", body });
  });
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Espere um minuto e tente de novo." })).toBeVisible();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
});

test.describe("without its script", () => {
  test.use({ javaScriptEnabled: false });

  test("the page is paid by Pix all the same, and says that cards need it", async ({ page, seller }) => {
    const token = await link(seller);
    await page.goto(`/checkout/${token}`);
    await expect(page.getByText("Para pagar com cartão, ative o JavaScript")).toBeVisible();
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect(page.getByText("Informe o nome completo.")).toBeVisible();
    await fillPayer(page);
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
    await expect(page.getByText(/O código vale até \d\d:\d\d/)).toBeVisible();
    await payNow(seller, paymentOf(page));
    await expect(async () => {
      await page.getByRole("link", { name: "Já paguei: atualizar" }).click();
      await expect(page.getByRole("heading", { name: "Pago" })).toBeVisible({ timeout: 500 });
    }).toPass();
  });
});

test("a plan is subscribed to on the same page, in English too", async ({ page, seller }) => {
  const { data } = await plan(seller, await product(seller));
  await page.goto(`/checkout/${data.token}`);
  await expect(page.getByText("a cada 30 dias", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "English" }).click();
  await expect(page.getByText("every 30 days", { exact: true })).toBeVisible();
  await page.getByLabel("Full name").fill("Zélia Prado");
  await page.getByLabel("E-mail").fill("zelia@example.com");
  await page.getByLabel("CPF or CNPJ").fill("52998224725");
  await page.getByRole("button", { name: "Get the Pix code" }).click();
  await expect(page.getByRole("heading", { name: "Pay with Pix" })).toBeVisible();
  await payNow(seller, paymentOf(page));
  await expect(page.getByRole("heading", { name: "Paid" })).toBeVisible({ timeout: 2_000 });
});

test("a plan is subscribed to by card: one that is refused keeps what was typed, and another one pays", async ({
  page,
  seller,
}) => {
  const { data } = await plan(seller, await product(seller), { billing_method: "credit_card" });
  await page.goto(`/checkout/${data.token}`);
  await expect(
    page.getByText(/você autoriza .+ a guardar este cartão e a cobrar R\$.49,90 a cada 30 dias/),
  ).toBeVisible();
  await fillPayer(page);
  await typeCardIn(page, "4000000000000002");
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByText("O cartão foi recusado. Tente outro cartão ou fale com o banco.")).toBeVisible();
  await expect(page.getByText("pague com Pix"), "a way that this plan does not have").toBeHidden();
  await expect(page.getByLabel("Nome completo")).toHaveValue("Zélia Prado");
  await expect(cardIn(page).getByLabel("Nome impresso no cartão")).toHaveValue("ZELIA PRADO");
  await cardIn(page).getByLabel("Número do cartão").fill("4111111111111111");
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await expect(page.getByRole("heading", { name: "Pago" })).toBeFocused();
  await expect(page.getByText("Cartão final 1111")).toBeVisible();
  await expect(page.getByText("Fazer outro pagamento"), "which would be a second subscription").toBeHidden();
  expect(await statusesOf(seller)).toEqual(["active", "cancelled"]);
});

for (const [name, viewport] of [
  ["on a phone", { width: 360, height: 740 }],
  ["on a desktop", { width: 1280, height: 900 }],
] as const) {
  test(`a payer goes from the receipt to the subscription and cancels it ${name}, after reading what happens`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize(viewport);
    const { data } = await plan(seller, await product(seller));
    await page.goto(`/checkout/${data.token}`);
    await fillPayer(page);
    await page.getByRole("button", { name: "Gerar código Pix" }).click();
    await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeVisible();
    await payNow(seller, paymentOf(page));
    await isPaid(page);
    await expect(page.getByText("Você pode cancelar quando quiser")).toBeVisible();
    const receipt = page.url();
    await page.getByRole("link", { name: "Ver a minha assinatura" }).click();
    await expect(page.getByRole("link", { name: seller.email })).toHaveAttribute("href", `mailto:${seller.email}`);
    await expect(page.getByText("Em dia")).toBeVisible();
    await page.getByRole("link", { name: "Cancelar a assinatura" }).click();
    await expect(page.getByText(/O que você já pagou vale até \d+ \w{3} \d{4}/)).toBeVisible();
    await page.getByRole("link", { name: "Voltar para a assinatura" }).click();
    expect(await statusesOf(seller)).toEqual(["active"]);
    await page.getByRole("link", { name: "Cancelar a assinatura" }).click();
    await page.getByRole("button", { name: "Cancelar a assinatura" }).click();
    await expect(page.getByText("Pronto: nada mais será cobrado.")).toBeVisible();
    await expect(page.getByText("Cancelada, ainda vale")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("link", { name: "Cancelar a assinatura" })).toBeHidden();
    await page.goto(receipt);
    await expect(page.getByText(/Esta assinatura foi cancelada e vale até \d+ \w{3} \d{4}\./)).toBeVisible();
    await expect(page.getByText("Você pode cancelar quando quiser")).toHaveCount(0);
  });
}

test("a payer changes the card in our own fields: one with a fault keeps the form, and another one takes its place", async ({
  page,
  seller,
}) => {
  const { data } = await plan(seller, await product(seller), { billing_method: "credit_card" });
  await page.goto(`/checkout/${data.token}`);
  await fillPayer(page);
  await typeCardIn(page);
  await page.getByRole("button", { name: "Pagar R$" }).click();
  await page.getByRole("link", { name: "Ver a minha assinatura" }).click();
  await expect(page.getByText("Visa final 1111")).toBeVisible();
  await page.getByRole("link", { name: "Trocar o cartão" }).click();
  await typeCardIn(page, "5555555555554445");
  await page.getByRole("button", { name: "Trocar o cartão" }).click();
  await expect(cardIn(page).getByText("Número inválido")).toBeVisible();
  await cardIn(page).getByLabel("Número do cartão").fill("5555555555554444");
  await page.getByRole("button", { name: "Trocar o cartão" }).click();
  await expect(page.getByText("Cartão trocado.")).toBeVisible();
  await expect(page.getByText("Mastercard final 4444")).toBeVisible();
});

test("a plan is subscribed to by Pix Automático: its code is paid, and the page says that the next payments are authorised", async ({
  page,
  seller,
}) => {
  const { data } = await plan(seller, await product(seller), { billing_method: "pix_automatico" });
  await page.goto(`/checkout/${data.token}`);
  await expect(page.getByText(/próximos pagamentos por Pix Automático: R\$.49,90 por mês/)).toBeVisible();
  await fillPayer(page);
  await page.getByRole("button", { name: "Gerar código Pix" }).click();
  await expect(page.getByRole("heading", { name: "Pague com Pix" })).toBeFocused();
  await payNow(seller, paymentOf(page));
  await isPaid(page);
  await expect(
    page.getByText("Pix Automático autorizado: os próximos pagamentos são debitados da sua conta"),
  ).toBeVisible();
  expect(await statusesOf(seller)).toEqual(["active"]);
});

test("the page asks no other site for anything, and all that it loads is at most 60 kB, compressed", async ({
  page,
  seller,
}) => {
  const loaded: { url: string; size: number }[] = [];
  page.on("response", async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0));
    loaded.push({ url: response.url(), size: gzipSync(body).length });
  });
  await page.goto(`/checkout/${await link(seller)}`);
  await page.getByLabel("Cartão").check();
  await expect(cardIn(page).getByLabel("Número do cartão")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const others = loaded.filter(({ url }) => !url.startsWith(`${env.APP_URL}/`) && !url.startsWith("data:"));
  expect(others).toEqual([]);
  expect(loaded.length).toBeGreaterThanOrEqual(3);
  expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(60_000);
});

test("a paid link leads back to its shop, signed, by itself or by its button, and an unpaid one without a payment", async ({
  page,
  seller,
}) => {
  const shop = createServer((_, response) => response.end("Loja"));
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  await list(seller, origin);
  const ways = { return_url: `${origin}/obrigado?pedido=42`, cancel_url: `${origin}/carrinho` };
  const token = await link(seller, ways);
  await page.goto(`/checkout/${token}`);
  await page.getByRole("link", { name: "Voltar para a loja" }).click();
  await expect(page).toHaveURL(ways.cancel_url);

  const payment = await begin(seller, token);
  await page.goto(`/checkout/${token}?payment=${payment}`);
  await payNow(seller, payment);
  await expect(page.locator("#leaving")).toContainText("Você volta para a loja em");
  await expect(page).toHaveURL(/\/obrigado\?pedido=42&reference_id=.*&status=completed&t=\d+&signature=[0-9a-f]{64}$/);
  const { data } = await seller.api<{ data: { secret: string } }>("GET", "/api/partner/v1/public-key/return-secret");
  const [id, status, t, signature] = ["reference_id", "status", "t", "signature"].map((name) =>
    new URL(page.url()).searchParams.get(name),
  );
  expect(id).toBe(payment);
  expect(signature).toBe(createHmac("sha256", data.secret).update(`${t}.${id}.${status}`).digest("hex"));

  await page.goto(`/checkout/${token}?payment=${payment}`);
  await expect(page.locator("#leaving")).toBeHidden(); // who comes back is not led away again
  await page.getByRole("link", { name: /^Voltar para / }).click();
  await expect(page).toHaveURL(/\/obrigado\?pedido=42&reference_id=/);
  shop.close();
});

/** The statuses of the seller's subscriptions, newest first. */
async function statusesOf(seller: Seller) {
  const { data } = await seller.api<{ data: { status: string }[] }>("GET", "/api/partner/v1/subscriptions");
  return data.map(({ status }) => status);
}
