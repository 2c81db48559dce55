import { expect, test } from "./fixtures";
import { photograph } from "./pictures";
import { see } from "./visits";

/** A page that does not exist logs an error in the console. */
test.use({ allowErrors: /Failed to load resource/ });

test("who edits a webhook finds what is sent, when, and every field of it, in both languages", async ({
  page,
  seller,
}) => {
  await see(page, "/webhooks");
  await page.getByRole("button", { name: "Novo webhook" }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("dialog").getByRole("link", { name: "Ver o que é enviado" }).click();
  const other = await opened;
  await expect(other).toHaveURL(`/${seller.accountId}/webhooks/sent`);
  await expect(other.locator("#content li a")).toHaveCount(28);
  await other.close();

  await see(page, "/webhooks/sent");
  await photograph(page, "sent-events", "full");
  await page.getByRole("link", { name: "Venda alterada" }).click();
  const content = page.locator("#content");
  await expect(content.getByText("x-syncpay-signature")).toBeVisible();
  const example = JSON.parse((await content.locator("pre").textContent()) ?? "");
  expect(example).toMatchObject({ event: "transaction.updated", transaction: { status: "completed" } });
  await expect(content.getByText("delivery_address.postal_code", { exact: true })).toBeVisible();
  await photograph(page, "sent-event", "full");

  await page.context().addCookies([{ name: "locale", value: "en", url: page.url() }]);
  await page.reload();
  await expect(content.getByRole("heading", { name: "Sale changed" })).toBeVisible();
  await expect(content.getByText("A sale was paid, refused")).toBeVisible();
  const answer = await page.goto(`/${seller.accountId}/webhooks/sent/nothing-known`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});
