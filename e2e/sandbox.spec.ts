import { deposit, expect, paidDeposit, test } from "./fixtures";
import { photographOpen } from "./pictures";
import { see } from "./visits";

test("a developer starts over from the test band's page: all is gone but the keys, which go on working", async ({
  page,
  seller,
}, info) => {
  await paidDeposit(seller, { amount: 132 });
  await see(page, "/home");
  await page.getByRole("link", { name: "Avançar o relógio" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Um saque: confirmar ou falhar" })).toBeVisible();
  await main.getByRole("button", { name: "Recomeçar os testes" }).click();
  const asked = page.getByRole("alertdialog");
  await expect(asked.getByText("Fica como está:")).toBeVisible();
  await photographOpen(page, info, "reset");
  await page.setViewportSize({ width: 1280, height: 800 });
  await asked.getByRole("button", { name: "Cancelar" }).click();
  await main.getByRole("button", { name: "Recomeçar os testes" }).click();
  await asked.getByRole("button", { name: "Recomeçar", exact: true }).click();

  await expect(page).toHaveURL(/\/home$/);
  expect(page.url()).not.toContain(seller.accountId);
  await expect(main.getByText(/R\$\s0,00/).first()).toBeVisible();
  const present = new URL(page.url()).pathname.split("/")[1] ?? "";
  await see(page, `/${seller.accountId}/transactions?status=completed`);
  await expect(page, "an address of before").toHaveURL(new RegExp(`/${present}/transactions\\?status=completed`));
  await expect(main.getByText(/132,00/)).toHaveCount(0);
  expect(await seller.api<{ balance: string }>("GET", "/api/partner/v1/balance")).toMatchObject({ balance: "0.00" });
  await page.goto("/credentials");
  await expect(main.getByText(seller.clientId).first()).toBeVisible();
});

test("a sale's page plays its payer: another amount goes back, somebody else pays, and the payer disputes", async ({
  page,
  seller,
}, info) => {
  const { identifier } = await deposit(seller, { amount: 50 });
  await see(page, `/transactions/${identifier}`);
  const main = page.getByRole("main");
  const act = async (name: string) => {
    const more = main.getByRole("button", { name: "Mais ações" });
    if (await more.isVisible()) await more.click();
    await main.getByRole("button", { name }).click();
  };
  await act("Simular outro pagamento…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nome de quem paga").fill("Bia Ramos");
  await dialog.getByLabel("CPF ou CNPJ de quem paga").fill("111.111.111-11");
  await dialog.getByRole("button", { name: "Simular pagamento" }).click();
  await expect(dialog.getByText("CPF ou CNPJ inválido")).toBeVisible();
  await photographOpen(page, info, "pay");
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByLabel("CPF ou CNPJ de quem paga").fill("111.444.777-35");
  await dialog.getByRole("button", { name: "Simular pagamento" }).click();
  await expect(main.getByText("Paga", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await expect(main.locator("pre", { hasText: "Bia Ramos" }).first()).toBeAttached();

  await act("Simular contestação…");
  await expect(dialog.getByText("Fica aberta, para você defender")).toBeVisible();
  await photographOpen(page, info, "dispute");
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole("button", { name: "Simular contestação" }).click();
  await expect(main.getByText("Contestação aberta").first()).toBeVisible({ timeout: 15_000 });
});
