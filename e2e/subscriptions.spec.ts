import { expect, type Page, test } from "./fixtures";
import { plan, product } from "./splits";
import { active, enrol, read, seeSubscription } from "./subscription-lives";

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const head = (page: Page) => page.locator("#content header").first();

test("a subscription is paid, overdue by the clock, asked for again, paused, resumed, moved to another plan and cancelled", async ({
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
  await expect(head(page)).toContainText("Em atraso desde");
  await expect(page.getByText("em tempo real").first()).toBeVisible();

  await click(page, "Gerar novo código");
  await expect(page.getByRole("dialog")).toContainText("O código de agora deixa de valer");
  await click(page, "Gerar código");
  await expect(page.getByRole("img", { name: /QR code do Pix/ })).toBeVisible();
  await page.getByRole("button", { name: "Fechar" }).click();
  await click(page, "Pagar o código");
  await expect(head(page)).toContainText("Ativa");

  await click(page, "Pausar");
  await expect(page.getByRole("dialog")).toContainText("30 dias já pagos ficam guardados");
  await click(page, "Pausar assinatura");
  await expect(head(page)).toContainText("Pausada desde");

  await click(page, "Reativar");
  await expect(page.getByRole("alertdialog")).toContainText("Restam 30 dias já pagos");
  await page.getByRole("alertdialog").getByRole("button", { name: "Reativar" }).click();
  await expect(head(page)).toContainText("Próxima cobrança em");

  await click(page, "Mudar de plano");
  await page.getByLabel("Novo plano").selectOption({ index: 1 });
  await expect(page.getByRole("row", { name: /Diferença a pagar/ })).toContainText("50,00"); // 99.90 − 49.90, 30 of 30 days
  await page.getByRole("button", { name: /^Cobrar a diferença/ }).click();
  await expect(page.getByRole("heading", { name: "Cobrança da diferença" })).toBeVisible();
  await page.getByRole("button", { name: "Fechar" }).click();
  await click(page, "Pagar o código");
  await expect(head(page)).toContainText("99,90");

  await click(page, "Cancelar assinatura");
  await expect(page.getByRole("dialog")).toContainText("A cobrança seguinte, de R$ 99,90, não é feita.");
  await click(page, "Cancelar no fim do período");
  await expect(head(page)).toContainText("Termina em");
  await click(page, "Cancelar assinatura");
  await click(page, "Cancelar agora");
  await expect(head(page)).toContainText("Cancelada em");
  expect((await read(seller, token)).status).toBe("cancelled");
});

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
