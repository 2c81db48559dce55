import { deposit, expect, test } from "./fixtures";
import { advanceDays, planToken, subscribed } from "./subscriptions";

for (const width of [360, 1280]) {
  test(`Home says how many subscriptions are overdue and leads to as many at ${width} px`, async ({ page, seller }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/home");
    await expect(page.getByRole("heading", { name: "Saldo" })).toBeVisible();
    await expect(page.getByText("em atraso")).toHaveCount(0);
    const plan = await planToken(seller, { grace_period_days: 20 });
    await subscribed(seller, plan, { name: "Bento Reis" });
    await subscribed(seller, plan, { name: "Clara Lima", email: "clara@example.com", document: "11144477735" });
    await advanceDays(seller, 35);

    await page.goto("/home");
    await page.getByRole("link", { name: /2 assinaturas em atraso/ }).click();
    await expect(page).toHaveURL(/\/subscriptions\/overdue$/);
    await expect(page.getByRole("link", { name: "Bento Reis" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Clara Lima" })).toBeVisible();
  });

  test(`an expired sale promises no net amount, and a pending one only once it is paid, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const { identifier } = await deposit(seller);
    await page.goto(`/transactions/${identifier}`);
    await expect(page.getByRole("row", { name: /Líquido, quando for paga/ })).toBeVisible();
    await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/expire`);
    await page.reload();
    const content = page.locator("#content"); // what streams in stands elsewhere too for a moment
    await expect(content.getByText("O código expirou sem pagamento: nada foi recebido.")).toBeVisible();
    await expect(page.getByRole("row", { name: /Líquido/ })).toHaveCount(0);
  });
}
