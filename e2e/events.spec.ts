import { deposit, expect, test } from "./fixtures";

test("an event is found in the list and from its sale, and leads to its sale, its deliveries and back", async ({
  page,
  seller,
}) => {
  const body = { title: "Loja", url: "http://localhost:9/a", event: "transaction", trigger_all_products: true };
  const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
  const { identifier } = await deposit(seller);
  const deliveries = () =>
    seller.api<{ data: { attempt: number }[] }>("GET", `/api/partner/v1/webhooks/${id}/deliveries`);
  await expect.poll(async () => (await deliveries()).data.some(({ attempt }) => attempt > 0)).toBe(true);
  await page.goto(`/${seller.accountId}/events`);
  const content = page.locator("#content");
  await expect(content.getByRole("heading", { name: "Eventos" })).toBeVisible();
  await content.getByRole("link", { name: "Venda criada" }).click();
  await expect(content.getByRole("link", { name: "Loja" })).toHaveAttribute("href", new RegExp(`/webhooks/${id}$`));
  await content.locator("summary", { hasText: "Venda criada" }).click();
  await expect(content.getByRole("button", { name: "Reenviar" })).toBeVisible();
  const event = page.url();
  await content.getByRole("link", { name: "Ver a venda" }).click();
  await expect(page).toHaveURL(new RegExp(`/transactions/${identifier}$`));
  await content.getByRole("link", { name: "Webhook: venda criada" }).first().click();
  await expect(page).toHaveURL(event);
  await content.getByRole("link", { name: "Loja" }).click();
  await expect(page).toHaveURL(new RegExp(`/webhooks/${id}$`));
  await content.locator("summary", { hasText: "Venda criada" }).click();
  await content.getByRole("link", { name: "Ver o evento" }).click();
  await expect(page).toHaveURL(event);
});
