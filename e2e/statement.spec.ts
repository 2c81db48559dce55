import { readBalances } from "@/lib/ledger/balance";
import { adjust } from "./balance-pages";
import { expect, liveAccountOf, makeSeller, type Page, paidDeposit, sessionCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { refunded } from "./refunds";
import { see } from "./visits";

const rows = (page: Page, name: RegExp) => page.locator("#content").getByRole("row", { name });

/** What the statement's lines of a balance come to, in cents. */
async function sumOf(page: Page, balance: string) {
  const amounts = await rows(page, new RegExp(balance, "i")).locator("td:last-child").allTextContents();
  return amounts.reduce((sum, text) => sum + Number(text.replace("−", "-").replace(/[^\d-]/g, "")), 0);
}

async function expectClean(page: Page, width: number) {
  expect(await violationsIn(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

for (const width of [1280, 360]) {
  test(`a statement's lines add up to the balances above them, and lead by the keyboard to what they are about (${width} px)`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const { sale, refund } = await refunded(seller);
    await adjust(seller.accountId, "debit", 50_00, "W".repeat(500));
    await see(page, "/home");
    const menu = width > 360 ? "Principal" : "Atalhos";
    await page
      .getByRole("navigation", { name: menu })
      .getByRole("link", { name: width > 360 ? "Saldo e extrato" : "Dinheiro" })
      .click();
    await expect(page.getByRole("heading", { name: "Saldo e extrato" })).toBeVisible();
    await expect(rows(page, /^Bloqueio para o estorno/)).toHaveCount(2);
    await expect(rows(page, /^Repasse /)).toHaveText(/−R\$\s38,81$/);
    await expect(rows(page, /^Ajuste da operação, a débito/)).toContainText("W".repeat(500));
    const { available, blocked } = await readBalances(seller.accountId);
    expect([await sumOf(page, "saldo disponível"), await sumOf(page, "saldo bloqueado")]).toEqual([available, blocked]);
    const figures = page
      .locator("#content")
      .getByText(/^(Disponível|Pendente|Bloqueado)$/)
      .locator("..");
    await expect(figures).toHaveText([/^DisponívelR\$\s4\.999,06$/, /^PendenteR\$\s0,00$/, /^BloqueadoR\$\s41,50$/]);
    await expectClean(page, width);

    await rows(page, /^Crédito da venda/)
      .getByRole("link")
      .focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/${seller.accountId}/transactions/${sale}`);
    await page.goBack();
    await rows(page, /^Bloqueio para o estorno/)
      .first()
      .getByRole("link")
      .focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/${seller.accountId}/refunds/${refund.code}`);
  });
}

test("a statement goes on page by page where there are more lines than one has, in English too", async ({
  page,
  context,
  seller,
}) => {
  for (let cents = 1; cents <= 26; cents += 1) await adjust(seller.accountId, "credit", cents, `Fee ${cents}.`);
  await context.addCookies([{ name: "locale", value: "en", domain: "localhost", path: "/" }]);
  await see(page, "/statement");
  await expect(page.getByRole("heading", { name: "Balance and statement" })).toBeVisible();
  await expect(page.getByText("25 of 27 entries")).toBeVisible();
  await expect(rows(page, /Fee 26\./)).toHaveText(/^Adjustment by the operator, credited.*R\$\s0\.26$/);
  await page
    .getByRole("button", { name: "Next" })
    .or(page.getByRole("link", { name: "Next" }))
    .first()
    .click();
  await expect(rows(page, /Fee 1\./)).toBeVisible();
  await expect(rows(page, /Fee 2\./)).toHaveCount(0);
  expect(await violationsIn(page)).toEqual([]);
});

test.describe("a statement that is not the visitor's", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("is not found, and each account and each mode has its own", async ({ page, context, seller }) => {
    const live = await liveAccountOf(seller);
    const other = await makeSeller();
    await paidDeposit(other, { amount: 77.77 });
    await adjust(live, "credit", 10_00, "Só em produção.");
    expect((await page.goto(`/${other.accountId}/statement`))?.status()).toBe(404);
    await see(page, `/${seller.accountId}/statement`);
    await expect(page.getByText("Só em produção.")).toHaveCount(0);
    await see(page, `/${live}/statement`);
    await expect(page.getByText("Só em produção.")).toBeVisible();
    await expect(rows(page, /^Crédito da venda/)).toHaveCount(0);
    await context.addCookies([await sessionCookie(other.accountId)]);
    expect((await page.goto(`/${live}/statement`))?.status()).toBe(404);
    await see(page, `/${other.accountId}/statement`);
    await expect(rows(page, /^Crédito da venda/)).toBeVisible();
  });
});
