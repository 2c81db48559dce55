import { readFileSync } from "node:fs";
import { readBalances } from "@/lib/ledger/balance";
import { disputed } from "./disputes";
import { content, expect, type Page, type Seller, sessionCookie, staffCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { see } from "./visits";

const balances = async ({ accountId }: Pick<Seller, "accountId">) => {
  const { available, blocked } = await readBalances(accountId);
  return [available, blocked];
};
const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");

/** A file that is none of the kinds is refused, which the browser logs. */
test.use({ allowErrors: /status of 422/ });

async function expectClean(page: Page) {
  expect(await violationsIn(page)).toEqual([]);
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

test("a MED is found by its deadline, defended with a PDF, read by the staff and lost: the money goes, and the recipient gives its part back", async ({
  page,
  context,
  seller,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const { dispute, sale } = await disputed(seller);
  const before = await balances(seller);
  expect(before[1]).toBe(13_200);
  await see(page, `/${seller.accountId}/disputes?status=open`);
  await expect(content(page).getByText("Faltam 6 dias").first()).toBeVisible();
  await expectClean(page);
  await content(page).locator(`a[href$="/${dispute.code}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(dispute.code));
  await expect(content(page).getByRole("row", { name: /^Se for perdida/ })).toContainText(/R\$\s132,00/);

  const input = content(page).locator('input[type="file"]');
  await input.setInputFiles({ name: "pagina.pdf", mimeType: "application/pdf", buffer: Buffer.from("<html>") });
  await expect(content(page).getByText("Este arquivo não é um PDF, PNG ou JPEG.")).toBeVisible();
  await input.setInputFiles({ name: "nota fiscal.pdf", mimeType: "application/pdf", buffer: pdf });
  await expect(content(page).getByText("nota fiscal.pdf").first()).toBeVisible();
  await page.getByRole("button", { name: "Enviar defesa" }).click();
  await expect(content(page).getByText("Escreva a sua defesa.")).toBeVisible();
  await content(page).getByLabel("Sua defesa").fill("O pedido foi entregue.");
  await expectClean(page);
  await page.getByRole("button", { name: "Enviar defesa" }).click();
  await expect(content(page).getByText("O pedido foi entregue.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Enviar defesa" })).toHaveCount(0);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Baixar nota fiscal.pdf" }).click(),
  ]);
  expect(readFileSync(await saved.path()).equals(pdf), "as it was sent").toBe(true);

  await context.addCookies([await staffCookie()]);
  await see(page, "/operator/disputes?mode=sandbox");
  await content(page).locator(`a[href$="/${seller.accountId}/${dispute.code}"]`).first().click();
  await expect(content(page).getByText("O pedido foi entregue.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Baixar nota fiscal.pdf" })).toBeVisible();
  await expectClean(page);

  await context.addCookies([await sessionCookie(seller.accountId)]);
  await see(page, `/${seller.accountId}/disputes/${dispute.code}`);
  await page.getByRole("button", { name: "Simular: perder" }).click();
  await expect(content(page).getByText("Perdida", { exact: true }).first()).toBeVisible({ timeout: 15_000 });
  await expect(content(page).getByText("Contestação perdida").first()).toBeVisible();
  const after = await balances(seller);
  expect(after[1]).toBe(0);
  expect((after[0] ?? 0) - (before[0] ?? 0), "the recipient's part came back").toBeGreaterThan(0);
  await see(page, `/${seller.accountId}/transactions/${sale}`);
  await expect(content(page).getByText("Contestação perdida").first()).toBeVisible();
});
