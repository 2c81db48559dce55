import { readFile } from "node:fs/promises";
import { readBalances } from "@/lib/ledger/balance";
import { adjust } from "./balance-pages";
import { expect, liveAccountOf, makeSeller, type Page, paidDeposit, sessionCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { refunded } from "./refunds";
import { see, seeAsStaff } from "./visits";

const rows = (page: Page, name: RegExp) => page.locator("#content").getByRole("row", { name });

/** What the statement's lines of a balance come to, in cents. */
async function sumOf(page: Page, balance: string) {
  const amounts = await rows(page, new RegExp(`${balance} · (entrada|saída)`, "i"))
    .locator("td:nth-child(3)")
    .allTextContents();
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
    await expect(rows(page, /^Estorno pedido/)).toHaveCount(2);
    await expect(rows(page, /^Parte de .* na venda/)).toContainText(/−R\$\s38,81/);
    await expect(rows(page, /^Ajuste da operação, a débito/)).toContainText("W".repeat(500));
    const { available, blocked } = await readBalances(seller.accountId);
    expect([await sumOf(page, "disponível"), await sumOf(page, "bloqueado")]).toEqual([available, blocked]);
    const now = page.getByRole("region", { name: "Saldo agora" });
    await expect(now).toContainText(/Saldo agoraR\$\s5\.040,56Disponível\s*R\$\s4\.999,06.*BloqueadoR\$\s41,50/);
    await expect(rows(page, /^Ajuste da operação/)).toContainText(/R\$\s4\.999,06$/);
    await expectClean(page, width);

    await rows(page, /^Venda recebida/)
      .getByRole("link")
      .focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/${seller.accountId}/transactions/${sale}`);
    await page.goBack();
    await rows(page, /^Estorno pedido/)
      .first()
      .getByRole("link")
      .focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/${seller.accountId}/refunds/${refund.code}`);

    await page.goBack();
    await page.getByRole("link", { name: "Fechamento por mês" }).click();
    const closing = page.getByRole("table", { name: width > 360 ? /^Fechamento de/ : /^Fechamento de .*: Total$/ });
    await expect(closing.getByRole("row", { name: /^Saldo final/ })).toContainText(/R\$\s5\.040,56$/);
    await expect(closing.getByRole("row", { name: /^Ajustes/ })).toContainText(/^AjustesR\$\s4\.950,00/);
    await expectClean(page, width);
  });
}

test("a statement is read from both ends, narrowed, and saved as a file in the words of its language", async ({
  page,
  context,
  seller,
}) => {
  for (let cents = 1; cents <= 26; cents += 1) await adjust(seller.accountId, "credit", cents, `Fee ${cents}.`);
  await context.addCookies([{ name: "locale", value: "en", domain: "localhost", path: "/" }]);
  await see(page, "/statement");
  await expect(page.getByRole("heading", { name: "Balance and statement" })).toBeVisible();
  await expect(page.getByText("25 of 27 entries")).toBeVisible();
  await expect(rows(page, /Fee 26\./)).toContainText(/^Adjustment by the operator, credited.*\+R\$\s0\.26/);
  await page.getByRole("button", { name: "Last" }).click();
  await expect(rows(page, /Fee 1\./)).toContainText(/R\$\s0\.01/);
  await expect(rows(page, /Fee 26\./)).toHaveCount(0);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(rows(page, /Fee 26\./)).toBeVisible();
  await expect(rows(page, /Fee 23\./)).toHaveCount(0);
  await page
    .getByRole("button", { name: "First" })
    .or(page.getByRole("link", { name: "First" }))
    .first()
    .waitFor();
  await page.getByLabel("About").selectOption("refunds");
  await expect(page.getByText("No entry matches these filters.")).toBeVisible();
  await page.getByLabel("About").selectOption("adjustments");
  await expect(page).toHaveURL(/about=adjustments$/);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("statement.csv");
  const text = await readFile(await file.path(), "utf8");
  expect(text.split("\r\n").filter((line) => line.includes("Adjustment by the operator, credited"))).toHaveLength(26);
  expect(await violationsIn(page)).toEqual([]);
});

test("the staff reads an account's statement in the console", async ({ page, seller }) => {
  const live = await liveAccountOf(seller);
  await adjust(live, "credit", 10_00, "Acordo.");
  await seeAsStaff(page, `/operator/accounts/${live}`);
  await page.getByRole("link", { name: "Ver o extrato da conta" }).click();
  await expect(page.getByRole("heading", { name: /^Extrato de/ })).toBeVisible();
  await expect(rows(page, /Acordo\./)).toContainText(/\+R\$\s10,00/);
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
    await expect(rows(page, /^Venda recebida/)).toHaveCount(0);
    await context.addCookies([await sessionCookie(other.accountId)]);
    expect((await page.goto(`/${live}/statement`))?.status()).toBe(404);
    await see(page, `/${other.accountId}/statement`);
    await expect(rows(page, /^Venda recebida/)).toBeVisible();
  });
});
