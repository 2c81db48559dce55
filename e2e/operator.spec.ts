import { readFileSync } from "node:fs";
import { expect, liveAccountOf, type Page, test } from "./fixtures";

type Demo = { operator: { email: string; password: string } };

async function signIn(page: Page) {
  const { operator } = JSON.parse(readFileSync(process.env.DEMO_JSON ?? "", "utf8")) as Demo;
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(operator.email);
  await page.getByLabel("Senha").fill(operator.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByRole("heading", { name: "Contas" }).waitFor();
}

test("the operator signs in, approves a seller, gives it cards, and suspends it after a confirmation", async ({
  page,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  await signIn(page);
  expect(new URL(page.url()).pathname).toBe("/operator/accounts");
  await page.getByLabel("Buscar contas").first().fill(seller.account.name);
  await page.keyboard.press("Enter");
  await page.locator(`a[href="/operator/accounts/${id}"]`).first().click();

  await page.getByRole("button", { name: "Aprovar conta" }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await page.getByLabel(/^Cartões/).check();
  await page.getByRole("button", { name: "Salvar recursos" }).click();
  await expect(page.getByText("Recursos salvos").first()).toBeVisible();

  await page.getByRole("button", { name: "Suspender conta" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Suspender conta" }).click();
  await dialog.getByRole("button", { name: "Suspender conta" }).click();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await expect(page.getByLabel(/^Cartões/).first()).toBeChecked();
});

test.describe("for a seller", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("there is no console", async ({ page, seller }) => {
    for (const path of ["/operator/accounts", `/operator/accounts/${await liveAccountOf(seller)}`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    }
  });
});
