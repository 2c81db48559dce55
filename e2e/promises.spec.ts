import { choose, deposit, expect, test } from "./fixtures";
import { product } from "./splits";
import { advanceDays, planToken, subscribed } from "./subscriptions";

type Dates = { suspended_at: string; overdue_since: string };

for (const width of [360, 1280]) {
  test(`Home says who is overdue and who is suspended, each leads to as many, and each date is its own, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/home");
    await expect(page.getByRole("heading", { name: "Saldo" })).toBeVisible();
    await expect(page.locator("#content").getByText("em atraso")).toHaveCount(0);
    const patient = await planToken(seller, { grace_period_days: 20 });
    const strict = await planToken(seller, { name: "Semanal", grace_period_days: 2, max_retry_attempts: 1 });
    await subscribed(seller, patient, { name: "Bento Reis" });
    await subscribed(seller, patient, { name: "Clara Lima", email: "clara@example.com", document: "11144477735" });
    const suspended = await subscribed(seller, strict, { name: "Davi Rocha", email: "davi@example.com" });
    await advanceDays(seller, 35);

    await page.goto("/home");
    await page.getByRole("link", { name: /2 assinaturas em atraso/ }).click();
    await expect(page).toHaveURL(/\/subscriptions\/overdue\?status=overdue$/);
    await expect(page.getByRole("link", { name: "Em atraso 2" })).toBeVisible();
    await expect(page.getByRole("listitem").getByRole("heading")).toHaveText([/Bento Reis|Clara Lima/, /Bento|Clara/]);

    await page.goto("/home");
    await page.getByRole("link", { name: /1 assinatura suspensa por falta de pagamento/ }).click();
    await expect(page).toHaveURL(/\/subscriptions\/overdue\?status=suspended$/);
    await expect(page.getByRole("link", { name: "Suspensas 1" })).toBeVisible();
    const { data } = await seller.api<{ data: Dates }>("GET", `/api/partner/v1/subscriptions/${suspended}`);
    expect(data.suspended_at.slice(0, 10)).not.toBe(data.overdue_since.slice(0, 10));
    const since = page.getByRole("listitem").filter({ hasText: "Davi" }).locator("time").last();
    await expect(since).toHaveAttribute("datetime", data.suspended_at);

    await page.getByRole("link", { name: "Davi Rocha" }).click();
    await expect(page.getByText(/^Suspensa por falta de pagamento desde \d+ \w+ \d{4}$/)).toBeVisible();
    const fact = page.getByRole("definition").filter({ has: page.locator(`time[datetime="${data.suspended_at}"]`) });
    await expect(fact.first()).toBeVisible();
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
    const content = page.locator("#content");
    await expect(content.getByText("O código expirou sem pagamento: nada foi recebido.")).toBeVisible();
    await expect(page.getByRole("row", { name: /Líquido/ })).toHaveCount(0);
  });

  test(`a simulated payment shows at once that it is on its way, is made once, and says its result, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const [place, isOver] of [
      ["charges", false],
      ["transactions", false],
      ["transactions", true],
    ] as const) {
      const { identifier } = await deposit(seller);
      if (isOver) await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/expire`);
      const path = `/api/partner/v1/sandbox/pix/${identifier}/pay`;
      let asked = 0;
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(`**${path}`, async (route) => {
        asked += 1;
        await held;
        await route.continue();
      });
      await page.goto(`/${place}/${identifier}`);
      const isInMenu = place === "transactions" && !isOver;
      if (isInMenu) await choose(page, "Simular pagamento");
      else await page.getByRole("button", { name: "Simular pagamento" }).dblclick();
      await expect(page.getByRole("button", { name: "Simulando…" })).toBeDisabled();
      await expect(page.getByRole("status").filter({ hasText: "Simulando…" })).toHaveCount(1);
      answer();
      await expect(page.getByText("Pagamento simulado: a cobrança está paga").first()).toBeVisible();
      await expect(
        page
          .locator("#content")
          .getByText(/^(Cobrança paga|Paga)$/)
          .first(),
      ).toBeVisible();
      await expect(page.getByRole("button", { name: /^Simul(ar pagamento$|ando)/ })).toHaveCount(0);
      expect(asked).toBe(1);
    }
  });

  test(`an empty page says what to do in the panel, and shows a line of the API only to who asks for it, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const content = page.locator("#content");
    for (const path of ["/transactions", "/payment-links", "/products", "/subscriptions", "/subscribers", "/splits"]) {
      await page.goto(path);
      await expect(content.getByText(/^(Nenhum|Ninguém)/), path).toBeVisible();
      await expect(content.locator("code"), path).toBeHidden();
      await content.getByText("Pela API").focus();
      await page.keyboard.press("Enter");
      await expect(content.locator("code"), path).toContainText("curl");
    }
    await page.goto("/webhooks");
    await expect(content.locator("code")).toContainText("curl");
    expect(await seller.api("GET", "/api/partner/v2/transactions")).toMatchObject({ data: [] });
  });

  test(`a product that nothing sells is not said to be for sale, and its first plan makes it so, at ${width} px`, async ({
    page,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const id = await product(seller);
    await page.goto("/products");
    const content = page.locator("#content");
    await expect(content.getByText("Nada à venda")).toBeVisible();
    await page.goto(`/products/${id}`);
    await expect(content.getByText("Nada à venda")).toBeVisible();
    await page.getByRole("button", { name: "Novo plano" }).click();
    await page.getByLabel("Nome").fill("Mensal");
    await page.getByLabel("Valor de cada cobrança").fill("4990");
    await expect(page.getByText("Cobramos a cada 30 dias, então o dia do mês muda.")).toBeVisible();
    await page.getByLabel("Como se cobra").selectOption({ label: "Pix Automático" });
    await expect(page.getByText("Cobramos sempre no mesmo dia do mês")).toBeVisible();
    await page.getByLabel("Como se cobra").selectOption({ label: "Cartão de crédito" });
    await page.getByRole("button", { name: "Criar plano" }).click();
    await page.getByRole("button", { name: "Concluir" }).click();
    await expect(content.getByText("À venda").first()).toBeVisible();
    await expect(content.getByText("Nada à venda")).toHaveCount(0);
    await expect(content.getByText("R$ 49,90 a cada 30 dias")).toBeVisible();
    await page.getByRole("button", { name: "Desativar Mensal" }).click();
    await expect(content.getByText("Nada à venda")).toBeVisible();
  });

  test(`the sales of a person are under the person's name at ${width} px`, async ({ page, seller }) => {
    await page.setViewportSize({ width, height: 800 });
    const client = { name: "Zélia Prado", cpf: "52998224725" };
    const { identifier } = await deposit(seller, { client });
    await page.goto(`/transactions/${identifier}`);
    await page.getByRole("link", { name: "Vendas de Zélia Prado" }).click();
    await expect(page.getByText("Só as vendas de Zélia Prado.")).toBeVisible();
  });
}
