import { expect, type Page, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { plan, product } from "./splits";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens the link beside the page, where somebody would subscribe to this plan. */
async function expectToSell(page: Page, link: string, name: string) {
  const [sold] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: link }).first().click(),
  ]);
  await expect(sold.getByText(name).first()).toBeVisible();
  await sold.close();
}

for (const width of [360, 1280]) {
  test(`a plan's address can be copied and opened once it was made, on its row, and on Home at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const fits = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.goto("/home");
    await page.getByRole("link", { name: "Cadastrar um produto" }).click();
    await page.getByRole("button", { name: "Novo produto" }).click();
    await page.getByLabel("Nome").fill("Clube do livro");
    await page.getByRole("button", { name: "Criar produto" }).click();
    await page.getByRole("button", { name: "Novo plano" }).click();
    await page.getByLabel("Nome").fill("Plano da leitora");
    await page.getByLabel("Valor de cada cobrança").fill("4990");
    await page.getByRole("button", { name: "Criar plano" }).click();

    const dialog = page.getByRole("dialog", { name: "Plano criado" });
    await dialog.getByRole("button", { name: "Copiar endereço" }).click();
    const { data } = await seller.api<{ data: { checkout_url: string }[] }>(
      "GET",
      "/api/partner/v1/subscription-plans",
    );
    const address = data[0]?.checkout_url ?? "";
    expect(await copied(page)).toBe(address);
    await expectToSell(page, "Abrir a página", "Plano da leitora");
    await fits();
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Concluir" }).click();

    await page.evaluate(() => navigator.clipboard.writeText("outra coisa"));
    await page.getByRole("button", { name: "Copiar endereço de Plano da leitora" }).click();
    expect(await copied(page)).toBe(address);
    await expectToSell(page, "Abrir a página de Plano da leitora", "Plano da leitora");
    await fits();

    await page.goto("/home");
    const step = page.getByRole("listitem").filter({ hasText: "Vender um plano" });
    await page.evaluate(() => navigator.clipboard.writeText("outra coisa"));
    await step.getByRole("button", { name: "Copiar endereço" }).click();
    expect(await copied(page)).toBe(address);
    await expectToSell(page, "Abrir a página", "Plano da leitora");
    await fits();
    await expect(page.getByText("Copiado"), "a notice that fades has no contrast").toHaveCount(0);
    expect(await violationsIn(page)).toEqual([]);
  });
}

test("a plan that is not for sale offers no address, and says what gives it one", async ({ page, seller }) => {
  const sold = await product(seller);
  await plan(seller, sold, { name: "Parado", status: "inactive" });
  await page.goto(`/products/${sold}`);
  await expect(page.getByRole("main").getByText("Fora de venda: ative o plano")).toBeVisible();
  await expect(page.getByRole("link", { name: "Abrir a página" })).toHaveCount(0);
  await page.getByRole("button", { name: "Ativar Parado" }).click();
  await expect(page.getByRole("link", { name: "Abrir a página de Parado" })).toBeVisible();
});
