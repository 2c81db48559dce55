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

test("sales are filtered by where they came from, on a phone too, in an address that can be shared, until the choice is removed", async ({
  page,
  seller,
}) => {
  await deposit(seller, { utm: { source: "instagram" } });
  await deposit(seller);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/transactions");
  const rows = page.locator("#content tbody tr");
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Filtrar por UTM…" }).click();
  await page.getByLabel("Origem (utm_source)").fill(" instagram ");
  await page.getByRole("button", { name: "Filtrar", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/\/transactions\?utm_source=instagram$/);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "Origem: instagram" }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/\/transactions$/);
});
