import { forAccount } from "@/lib/db";
import { webhookEvents } from "@/lib/webhooks/schema";
import { link } from "./checkout";
import { deposit, expect, liveAccountOf, makeSeller, paidDeposit, sessionCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { accept, invite, plan, product } from "./splits";
import { subscribed } from "./subscriptions";

const widths = [360, 1280];

test("the webhook form offers every kind of event that is sent, grouped, each in words of its own", async ({
  page,
  seller,
}) => {
  expect(seller.account.mode).toBe("sandbox");
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Novo webhook" }).click();
  const kinds = page.getByLabel("Quando avisar");
  await expect(kinds).toBeVisible();
  const offered = await kinds
    .locator("optgroup > option")
    .evaluateAll((all) => all.map((one) => [(one as HTMLOptionElement).value, one.textContent ?? ""]));
  expect(offered.map(([kind]) => kind).sort()).toEqual([...webhookEvents].sort());
  expect(new Set(offered.map(([, text]) => text)).size).toBe(webhookEvents.length);
  expect(offered.filter(([kind = "", text]) => text?.includes(kind))).toEqual([]);
  expect(await kinds.locator("> option").count()).toBe(0);
  await kinds.selectOption({ label: "Cobrança falhou" });
  await page.getByLabel("Nome").fill("Loja");
  await page.getByLabel("Endereço").fill("http://localhost:9/");
  await page.getByRole("button", { name: "Criar webhook" }).click();
  await page.getByRole("button", { name: "Já guardei" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("main").getByText("Cobrança falhou").first()).toBeVisible();
});

for (const width of widths) {
  test(`a sale leads to its subscription, plan, link and person, and each of those back to its sales, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const productId = await product(seller);
    const { data } = await plan(seller, productId);
    const token = await subscribed(seller, data.token);
    await deposit(seller, {
      client: { name: "Outra", cpf: "11144477735", email: "o@example.com", phone: "11987654321" },
    });
    const main = page.getByRole("main");
    const rows = main.locator("tbody tr");
    const openSale = async () => {
      await rows.first().getByRole("link").first().click();
      await expect(page.getByRole("heading", { name: "De onde veio" })).toBeVisible();
    };
    await page.goto(`/products/${productId}`);
    await main.getByRole("link", { name: "Vendas do plano Mensal" }).click();
    await expect(main.getByText("Só as vendas de um plano.")).toBeVisible();
    await expect(rows).toHaveCount(1);
    await openSale();
    await expect(main.getByRole("link", { name: "Mensal", exact: true })).toHaveAttribute(
      "href",
      `/${seller.accountId}/products/${productId}`,
    );
    expect(await violationsIn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    await main.getByRole("link", { name: "Ver a assinatura" }).click();
    await expect(page).toHaveURL(new RegExp(`/subscriptions/${token}$`));
    await main.getByRole("link", { name: "Ver nas vendas" }).click();
    await expect(main.getByText("Só as vendas da assinatura de Zélia Prado.")).toBeVisible();
    await expect(rows).toHaveCount(1);
    await openSale();
    await main.getByRole("link", { name: "Vendas de Zélia Prado" }).click();
    await expect(main.getByText("Só as vendas de Zélia Prado.")).toBeVisible();
    await expect(rows).toHaveCount(1);
    expect(page.url(), "no personal data in the address").toMatch(/\/transactions\?customer=[\da-f-]{36}$/);
    await main.getByRole("link", { name: "Limpar filtros" }).click();
    await expect(rows).toHaveCount(2);

    await page.goto("/subscribers");
    await main.getByRole("link", { name: "Vendas de Zélia Prado" }).click();
    await expect(rows).toHaveCount(1);
    const linkToken = await link(seller);
    await page.goto(`/payment-links/${linkToken}`);
    await main.getByRole("link", { name: "Ver nas vendas" }).click();
    await expect(main.getByText("Só as vendas de um link de pagamento.")).toBeVisible();
  });

  test(`a webhook's row names the sale and why it failed, and leads to the sale, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const body = { title: "Loja", url: "http://localhost:9/a", event: "transaction", trigger_all_products: true };
    const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
    const { identifier } = await deposit(seller);
    const row = page.locator("#content summary", { hasText: "Venda criada" });
    await expect(async () => {
      await page.goto(`/webhooks/${id}`);
      await expect(row).toContainText("Conexão recusada", { timeout: 1_000 });
    }).toPass();
    await expect(row).toContainText(/Zélia Prado · R\$\s132,00/);
    await row.click();
    expect(await violationsIn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.locator("details[open]").getByRole("link", { name: "Ver a venda" }).click();
    await expect(page).toHaveURL(new RegExp(`/transactions/${identifier}$`));
  });

  test(`who only receives shares has a Home of earnings and waiting invitations at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const other = await makeSeller();
    const shared = (await plan(other, await product(other))).data.token;
    await accept(seller, await invite(other, shared, seller.email, "10"));
    await invite(other, (await plan(other, await product(other))).data.token, seller.email, "20");
    await paidDeposit(other, { amount: 100, plan_token: shared });
    const month = () =>
      seller.api<{ meta: { this_month: { sales: number } } }>("GET", "/api/partner/v1/earnings/months");
    await expect.poll(async () => (await month()).meta.this_month.sales).toBe(1);
    await page.goto("/home");
    const content = page.locator("#content");
    await expect(content.getByText(/Ganhos em/)).toBeVisible();
    await expect(content.getByText("de 1 venda · 1 repasse aceito")).toBeVisible();
    await expect(page.getByText(/R\$\s9,80/).first()).toBeVisible(); // 10 % of 100.00 after the Pix fee
    await expect(page.getByText("Para começar")).toHaveCount(0);
    expect(await violationsIn(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByRole("link", { name: /1 convite de repasse espera/ }).click();
    await expect(page).toHaveURL(/\/splits$/);
  });

  test(`pages of a feature that is off stay in the menu, greyed, and say how to get it, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { features: [] } }),
    );
    await page.goto("/home");
    if (width < 768) await page.getByRole("button", { name: "Abrir o menu" }).click();
    const menu = page.getByRole("navigation", { name: "Principal" });
    await expect(menu.getByRole("link", { name: "Transações" })).toBeVisible();
    await expect(menu.getByRole("link", { name: "Todas" })).toHaveCount(0);
    await menu.getByRole("button", { name: /^Assinaturas/ }).click();
    const shown = page.locator("[popover]:popover-open");
    await expect(shown).toContainText("Assinaturas não está habilitado nesta conta");
    await expect(shown).toContainText("Fale com o suporte e peça a recorrência.");
    expect(await violationsIn(page)).toEqual([]);
  });

  test(`the menu stands under headings that fold by the keyboard and stay folded, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const menu = page.getByRole("navigation", { name: "Principal" });
    const open = async () => {
      await page.goto(`/${seller.accountId}/subscriptions/overdue`);
      await page.waitForLoadState("networkidle");
      if (width < 768) await page.getByRole("button", { name: "Abrir o menu" }).click();
    };
    await open();
    await expect(menu.getByRole("button")).toHaveText([
      ...["Vendas", "Assinaturas", "Repasses", "Dinheiro", "Desenvolvedores"],
    ]);
    await expect(menu.getByRole("link")).toHaveText([
      ...["Início", "Transações", "Cobrar", "Links", "Estornos", "Contestações", "Catálogo", "Todas", "Em atraso"],
      ...[
        "Assinantes",
        "Recebidos",
        "Enviados",
        "Ganhos",
        "Saldo e extrato",
        "Saques",
        "Chaves",
        "Chave pública",
        "Webhooks",
        "Eventos",
        "Ajustes",
      ],
    ]);
    await expect(menu.locator("[aria-current=page]"), "where one is").toHaveText(["Em atraso"]);
    for (const name of ["Vendas", "Assinaturas"]) {
      await menu.getByRole("button", { name }).focus();
      await page.keyboard.press("Enter");
    }
    await open();
    await expect(menu.getByRole("button", { name: "Vendas" })).toHaveAttribute("aria-expanded", "false");
    await expect(menu.getByRole("link", { name: "Transações" })).toHaveCount(0);
    await expect(menu.getByRole("link", { name: "Em atraso" }), "the page that is shown stays").toBeVisible();
    await expect(menu.getByRole("link", { name: "Todas" })).toHaveCount(0);
    expect(await violationsIn(page)).toEqual([]);
    await menu.getByRole("button", { name: "Assinaturas" }).click();
    await menu.getByRole("link", { name: "Ganhos" }).click();
    await expect(page).toHaveURL(/\/splits\/earnings$/);
    if (width < 768) await page.getByRole("button", { name: "Abrir o menu" }).click();
    await expect(menu.getByRole("button", { name: "Vendas" }), "on the next page too").toHaveAttribute(
      ...["aria-expanded", "false"],
    );
    await expect(menu.getByRole("link", { name: "Todas" })).toBeVisible();
  });

  test(`a live account that is not approved says so, and disables what would be refused, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const live = await liveAccountOf(seller);
    const fits = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.goto(`/${live}/home`);
    await expect(
      page.getByText("Conta ainda não aprovada. Até a aprovação, ninguém pode ser cobrado por ela."),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Nova cobrança" })).toBeDisabled();
    await expect(page.getByRole("link", { name: "Nova cobrança" })).toHaveCount(0);
    expect(await violationsIn(page)).toEqual([]);
    await fits();
    await page.goto(`/${live}/transactions`);
    await expect(page.getByRole("button", { name: "Nova cobrança" }).first()).toBeDisabled();
    await page.goto(`/${live}/payment-links`);
    await expect(page.getByRole("button", { name: "Novo link" }).first()).toBeDisabled();
    await page.goto(`/${live}/charges/new`);
    await expect(page.getByRole("button", { name: "Gerar cobrança" })).toBeDisabled();
    await fits();
    await page.getByRole("link", { name: "Ir para o ambiente de testes" }).click();
    await expect(page).toHaveURL(`/${seller.accountId}/home`);
    await expect(page.getByText("Conta ainda não aprovada")).toHaveCount(0);
  });
}

test("every link of the menu opens a page, also by its address without the account, whatever the account may use", async ({
  page,
  seller,
}) => {
  const { accountId: id } = seller;
  for (const features of [seller.account.features, []]) {
    await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { features } }));
    await page.goto("/home");
    const menu = page.getByRole("navigation", { name: "Principal" });
    const links = await menu.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(links.length).toBe(features.length > 0 ? 20 : 13);
    for (const href of links) {
      const answer = await page.goto(href.replace(`/${id}`, ""));
      expect([answer?.status(), new URL(page.url()).pathname]).toEqual([200, href]);
      const here = menu.locator("[aria-current=page]");
      await expect(here, "where one is").toHaveAttribute("href", href);
      await expect(here).toBeInViewport({ ratio: 0.9 });
    }
  }
});

test.describe("a live charge without a provider", () => {
  test.use({ allowErrors: /409/ });

  test("says that it is not configured and that trying again does not help", async ({ page, context, seller }) => {
    const live = await liveAccountOf(seller);
    await forAccount(live, (tx) => tx.account.update({ where: { id: live }, data: { status: "approved" } }));
    await context.addCookies([await sessionCookie(live)]);
    await page.goto(`/${live}/charges/new`);
    await page.getByRole("textbox", { name: "Valor" }).pressSequentially("1999");
    await page.getByRole("button", { name: "Gerar cobrança" }).click();
    await expect(page.getByText("Ainda não há um provedor configurado para isto")).toBeVisible();
    await expect(page.getByText("tentar de novo não adianta")).toBeVisible();
    await expect(page.getByText("Tente de novo", { exact: false })).toHaveCount(0);
  });
});
