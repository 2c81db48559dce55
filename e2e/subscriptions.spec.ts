import { payerPage, typeCardIn } from "./checkout";
import { choose, expect, makeSeller, type Page, test } from "./fixtures";
import { accept, invite, plan, product } from "./splits";
import { active, byCard, cardIn, enrol, overdueByCard, read, seeSubscription } from "./subscription-lives";
import { see } from "./visits";

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const head = (page: Page) => page.locator("#content header").first();

test("a subscription is paid, due for a whole day, overdue by the clock, asked for again, paused, resumed, moved to another plan and cancelled", async ({
  page,
  seller,
}) => {
  test.slow();
  const productId = await product(seller);
  const { data: small } = await plan(seller, productId);
  await plan(seller, productId, { name: "Mensal com entrega", amount: "99.90" });
  const { token } = await enrol(seller, small.token);
  await seeSubscription(page, token);
  await expect(head(page)).toContainText("Aguarda 1º pagamento");
  await click(page, "Pagar o código");
  await expect(head(page)).toContainText("Ativa");
  await expect(head(page)).toContainText("Próxima cobrança em");

  await page.getByRole("button", { name: /^Avançar até/ }).click();
  await expect(head(page)).toContainText("A cobrança vence hoje");
  await expect(page.getByText(/^Paga R\$\s49,90, até \d+ \w+ \d{4}, 23:59\.$/)).toBeVisible();
  await click(page, "Avançar um dia");
  await expect(head(page)).toContainText("Em atraso desde");
  await expect(page.getByText("Próxima cobrança")).toHaveCount(0);
  await expect(page.getByText("em tempo real").first()).toBeVisible();

  await click(page, "Gerar novo código");
  await expect(page.getByRole("dialog")).toContainText("O código de agora deixa de valer");
  await click(page, "Gerar código");
  await expect(page.getByRole("img", { name: /QR code do Pix/ })).toBeVisible();
  await page.getByRole("button", { name: "Fechar" }).click();
  await click(page, "Pagar o código");
  await expect(head(page)).toContainText("Ativa");

  await choose(page, "Pausar");
  await expect(page.getByRole("dialog")).toContainText("29 dias já pagos ficam guardados");
  await click(page, "Pausar assinatura");
  await expect(head(page)).toContainText("Pausada desde");

  await click(page, "Reativar");
  await expect(page.getByRole("alertdialog")).toContainText("Restam 29 dias já pagos");
  await page.getByRole("alertdialog").getByRole("button", { name: "Reativar" }).click();
  await expect(head(page)).toContainText("Próxima cobrança em");

  await choose(page, "Mudar de plano");
  await page.getByLabel("Novo plano").selectOption({ index: 1 });
  await expect(page.getByRole("row", { name: /Diferença a pagar/ })).toContainText("48,33"); // 99.90 − 49.90, 29 of 30 days
  await page.getByRole("button", { name: /^Cobrar a diferença/ }).click();
  await expect(page.getByRole("heading", { name: "Cobrança da diferença" })).toBeVisible();
  await page.getByRole("button", { name: "Fechar" }).click();
  await click(page, "Pagar o código");
  await expect(head(page)).toContainText("99,90");

  await choose(page, "Cancelar assinatura");
  await expect(page.getByRole("dialog")).toContainText("A cobrança seguinte, de R$ 99,90, não é feita.");
  await click(page, "Cancelar no fim do período");
  await expect(head(page)).toContainText(/Ativa até \d+ \w{3}/);
  await choose(page, "Encerrar antes");
  await click(page, "Encerrar agora");
  await expect(head(page)).toContainText("Cancelada em");
  expect((await read(seller, token)).status).toBe("cancelled");
});

for (const [name, viewport] of [
  ["on a phone", { width: 360, height: 740 }],
  ["on a desktop", { width: 1280, height: 900 }],
] as const) {
  test(`a seller sees ${name} that a payer has cancelled: until when it runs, who asked, and what can still be done`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize(viewport);
    const { token } = await active(seller);
    await page.request.post(payerPage(seller, token), { form: { act: "cancel" } });
    await seeSubscription(page, token);
    await expect(head(page)).toContainText(/Ativa até \d+ \w{3}/);
    await expect(head(page)).toContainText("Cancelada: nada mais é cobrado");
    await expect(page.getByRole("button", { name: "Cancelar assinatura" })).toHaveCount(0);
    await expect(page.getByText("Cancelamento pedido, para o fim do que está pago")).toBeVisible();
    await expect(page.getByText(/^Por quem assina/)).toBeVisible();
    await expect(page.getByText("E-mail: assinatura cancelada, com o último dia")).toBeVisible();
    await choose(page, "Encerrar antes");
    await expect(page.getByRole("dialog", { name: /^Encerrar já a assinatura de Zélia Prado/ })).toBeVisible();
    await page.getByRole("button", { name: /^Deixar até \d+ \w{3} \d{4}/ }).click();
    await see(page, "/subscriptions");
    await expect(page.getByRole("row", { name: /Zélia Prado.*Ativa até \d+ \w{3}/ })).toBeVisible();
  });
}

test("a mandate of Pix Automático is shown, and its payer is played", async ({ page, seller }) => {
  const { token } = await active(seller, { billing_method: "pix_automatico" });
  await seeSubscription(page, token);
  await expect(page.getByText("Autorizada", { exact: true })).toBeVisible();
  await click(page, "Cancelar a autorização");
  await expect(page.getByText("Pagador", { exact: true })).toBeVisible();
  await expect(page.getByText("Pix Automático cancelado")).toBeVisible();
});

test("a charge leads to its sale, and in a sandbox the payer can be played", async ({ page, seller }) => {
  const { token } = await active(seller);
  await seeSubscription(page, token);
  await expect(page.getByRole("heading", { name: "Simular" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Cobrança 1" })).toHaveAttribute("href", /\/transactions\//);
});

test("a change of plan shows what each recipient gets of the difference and of the next charge", async ({
  page,
  seller,
}) => {
  const { token, productId } = await active(seller);
  const { data } = await plan(seller, productId, { name: "Mensal com entrega", amount: "99.90" });
  const bento = await makeSeller();
  await accept(bento, await invite(seller, data.token, bento.email, "12.50"));
  await seeSubscription(page, token);
  await choose(page, "Mudar de plano");
  await page.getByLabel("Novo plano").selectOption({ index: 1 });
  const shares = page.getByRole("table", { name: "Repasses" });
  await expect(shares.getByRole("row")).toHaveCount(2);
  await expect(shares.getByRole("row").last()).toContainText(/12,5 ?%/);
  await expect(shares.getByRole("cell")).toHaveText([/R\$.6,12/, /R\$.12,24/]); // of 50.00 and of 99.90, less the fee of 2 %
});

test.describe("the card of a subscription", () => {
  /** The network is cut on purpose. */
  test.use({ allowErrors: /net::ERR_FAILED/ });

  test("is replaced by keyboard in our own fields, which keep it until it is sent, and what is owed is charged at once", async ({
    page,
    seller,
  }) => {
    const token = await overdueByCard(seller);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("4111111111111111")) sent.push(new URL(request.url()).pathname);
    });
    await seeSubscription(page, token);
    await expect(head(page)).toContainText("Em atraso desde");
    await page.getByRole("button", { name: "Mais ações" }).press("Enter");
    await page.getByRole("button", { name: "Trocar cartão" }).press("Enter");
    await expect(page.getByRole("dialog")).toContainText(
      /O que está em atraso, R\$.49,90, é cobrado já no novo cartão/,
    );
    const number = cardIn(page).getByLabel("Número do cartão");
    await expect(number).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(number).toBeFocused();
    for (const text of ["4111111111111111", "ZELIA PRADO", "1235", "73"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await expect(page.getByRole("button", { name: "Trocar cartão e cobrar" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(cardIn(page).getByLabel("Código")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.type("7");
    await page.route("**/card", (route) => route.abort());
    await page.getByRole("button", { name: "Trocar cartão e cobrar" }).press("Enter");
    await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    await expect(number).toHaveValue("4111 1111 1111 1111");

    await page.unroute("**/card");
    await page.getByRole("button", { name: "Trocar cartão e cobrar" }).press("Enter");
    await expect(page.getByText("Cartão trocado. A cobrança está sendo feita.").first()).toBeVisible();
    await expect(head(page)).toContainText("Próxima cobrança em");
    expect((await read(seller, token)).status).toBe("active");
    expect(new Set(sent)).toEqual(new Set(["/api/public/v1/card-tokens"]));
  });

  test("that is paid is replaced without a charge", async ({ page, seller }) => {
    const token = await byCard(seller);
    await seeSubscription(page, token);
    await choose(page, "Trocar cartão");
    await expect(page.getByRole("dialog")).toContainText("Nada é cobrado agora.");
    await typeCardIn(page, "5555555555554444", cardIn(page));
    await page.getByRole("dialog").getByRole("button", { name: "Trocar cartão" }).click();
    await expect(page.getByText("Cartão trocado", { exact: true }).first()).toBeVisible();
    expect((await read(seller, token)).charges).toHaveLength(1);
  });

  test("says until when it is valid, also where the year was typed first", async ({ page, seller }) => {
    const token = await byCard(seller);
    await seeSubscription(page, token);
    const valid = page.getByText("Cartão vale até").locator("..");
    await expect(valid).toContainText("31 dez 2035");
    await choose(page, "Trocar cartão");
    await typeCardIn(page, "5555555555554444", cardIn(page));
    await cardIn(page).getByLabel("Validade").fill("");
    await cardIn(page).getByLabel("Validade").pressSequentially("203006");
    await expect(cardIn(page).getByLabel("Validade")).toHaveValue("06/30");
    await page.getByRole("dialog").getByRole("button", { name: "Trocar cartão" }).click();
    await expect(valid).toContainText("30 jun 2030");
  });
});
