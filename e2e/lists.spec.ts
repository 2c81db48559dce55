import { deposit, expect, test } from "./fixtures";

test("a search that is still being typed ends with the page: it changes no other page's address", async ({
  page,
  seller,
}) => {
  await deposit(seller);
  await page.clock.install();
  await page.goto("/transactions");
  await page.waitForLoadState("networkidle");
  await page.getByRole("searchbox").fill("revista");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.clock.fastForward(1_000);
  await expect(page).toHaveURL(/\/webhooks$/);
});
