import { tracesOf } from "@/lib/testing/traces";
import { expect, type Page, test } from "./fixtures";

test.use({ allowErrors: /Failed to load resource/ });

const CASH_IN = "**/api/partner/v1/cash-in";
const send = (page: Page) => page.getByRole("button", { name: "Gerar cobrança" }).click();

/** The API does what it is asked, and its answer is lost. */
const loseAnswers = (page: Page) =>
  page.route(CASH_IN, async (route) => {
    await route.fetch();
    await route.abort();
  });

for (const [change, sales] of [
  [undefined, 1],
  ["20,00", 2],
] as const) {
  const what = change
    ? "with another amount after a lost answer makes another sale"
    : "again after a lost answer makes one sale";
  test(`a form that is sent ${what}`, async ({ page, seller }) => {
    await page.goto("/charges/new");
    await page.getByRole("textbox", { name: "Valor" }).fill("19,99");
    await loseAnswers(page);
    await send(page);
    await expect(page.getByRole("alert").filter({ hasText: "resposta" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Valor" })).toHaveValue("19,99");
    await page.unroute(CASH_IN);
    if (change) await page.getByRole("textbox", { name: "Valor" }).fill(change);
    await send(page);
    await expect(page.getByRole("img", { name: /QR code Pix/ })).toBeVisible();
    expect((await tracesOf(seller.accountId)).transactions).toBe(sales);
  });
}

test("faults are shown at their fields, the first has the focus, and each disappears when it is corrected", async ({
  page,
  seller,
}) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/charges/new");
  await fillWrong(page);
  await send(page);
  await expectFaults(page);
  await page.getByRole("textbox", { name: "E-mail" }).fill("ana@exemplo.com.br");
  await expect(page.getByRole("textbox", { name: "E-mail" })).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("textbox", { name: "CPF ou CNPJ" })).toHaveAttribute("aria-invalid", "true");
});

test("where the schema cannot be loaded the API validates, and its faults are shown at their fields", async ({
  page,
  seller,
}) => {
  await page.goto("/charges/new");
  await fillWrong(page);
  await page.route("**/_next/static/**", (route) => route.abort());
  const answer = page.waitForResponse(CASH_IN);
  await send(page);
  expect((await answer).status()).toBe(422);
  await expectFaults(page);
  expect((await tracesOf(seller.accountId)).transactions).toBe(0);
});

async function fillWrong(page: Page) {
  await page.getByRole("textbox", { name: "Valor" }).fill("19,99");
  await page.getByRole("checkbox", { name: "Identificar o cliente" }).check();
  await page.getByRole("textbox", { name: "Nome" }).fill("Ana Prado");
  await page.getByRole("textbox", { name: "CPF ou CNPJ" }).fill("529.982.247-24");
  await page.getByRole("textbox", { name: "E-mail" }).fill("ana@");
}

async function expectFaults(page: Page) {
  await expect(page.getByText("O documento não confere")).toBeVisible();
  await expect(page.getByText("Informe um e-mail completo")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "CPF ou CNPJ" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Valor" })).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("textbox", { name: "Nome" })).toHaveValue("Ana Prado");
}
