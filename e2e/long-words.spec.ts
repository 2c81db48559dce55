import { link, payNow } from "./checkout";
import { choose, expect, test } from "./fixtures";
import { plan, product } from "./splits";
import { enrol, read } from "./subscription-lives";

const WORD = "W".repeat(120);

test("a word as long as a name may be makes no page wider than a phone", async ({ page, seller }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const sold = await product(seller, { name: WORD });
  const { data } = await plan(seller, sold, { name: WORD });
  await plan(seller, sold, { name: `${WORD}2`, amount: "99.90" });
  const email = `${"w".repeat(60)}@${"example.".repeat(8)}com`;
  const { token, sale } = await enrol(seller, data.token, { name: WORD, email });
  await payNow(seller, sale);
  await expect.poll(async () => (await read(seller, token)).status).toBe("active");
  const paid = await link(seller, { description: WORD });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const path of [
    ...[`/checkout/${data.token}`, `/checkout/${data.token}?payment=${sale}`, `/checkout/${paid}`],
    ...["/products", `/products/${sold}`, "/payment-links", `/payment-links/${paid}`, "/transactions"],
    ...[`/transactions/${sale}`, "/subscribers", "/subscriptions", `/subscriptions/${token}`],
  ]) {
    await page.goto(path);
    await expect(
      page
        .getByText(/W{120}/)
        .filter({ visible: true })
        .first(),
      path,
    ).toBeVisible();
    expect.soft(await wide(), path).toBeLessThanOrEqual(360);
  }
  await page.goto(`/subscriptions/${token}`);
  for (const name of ["Mudar de plano", "Pausar", "Cancelar assinatura"]) {
    await choose(page, name);
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    expect(await dialog.evaluate((it) => it.scrollWidth - it.clientWidth), name).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});
