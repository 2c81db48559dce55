import { deposit, expect, test } from "./fixtures";

test("an event is found in the list, and shows whom it was sent to", async ({ page, seller }) => {
  const body = { title: "Loja", url: "http://localhost:9/a", event: "transaction", trigger_all_products: true };
  const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
  await deposit(seller);
  const deliveries = () => seller.api<{ data: object[] }>("GET", `/api/partner/v1/webhooks/${id}/deliveries`);
  await expect.poll(async () => (await deliveries()).data.length).toBe(1);
  await page.goto(`/${seller.accountId}/events`);
  const content = page.locator("#content");
  await expect(content.getByRole("heading", { name: "Eventos" })).toBeVisible();
  await content.getByRole("link", { name: "Venda criada" }).click();
  await expect(content.getByRole("link", { name: "Loja" })).toHaveAttribute("href", new RegExp(`/webhooks/${id}$`));
  await content.locator("summary", { hasText: "Venda criada" }).click();
  await expect(content.getByRole("button", { name: "Reenviar" })).toBeVisible();
});
