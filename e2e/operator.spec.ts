import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { writeMail } from "@/lib/mail/write";
import { aMail, contents, lettersTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { expect, liveAccountOf, type Page, type Seller, sessionCookie, staffCookie, test } from "./fixtures";
import { expectHeadsApart, violationsIn } from "./pictures";

type Demo = { operator: { email: string; password: string } };

async function signIn(page: Page) {
  const { operator } = JSON.parse(readFileSync(process.env.DEMO_JSON ?? "", "utf8")) as Demo;
  await page.context().clearCookies();
  await page.goto("/operator/sign-in");
  await page.getByLabel("E-mail").fill(operator.email);
  await page.getByLabel("Senha").fill(operator.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.waitForURL(/\/operator\/(?!sign-in)/);
  const user = { email: operator.email };
  await prisma().session.updateMany({ where: { user }, data: { secondFactorAt: new Date() } }); // as if a code had been given
  await page.goto("/operator/accounts");
  await page.getByRole("heading", { name: "Contas" }).waitFor();
}

/** Opens a seller's page from the list, as a newcomer finds it. */
async function findSeller(page: Page, { account }: Seller, id: string) {
  await page.getByLabel("Buscar contas").first().fill(account.name);
  await page.keyboard.press("Enter");
  await page.locator(`a[href="/operator/accounts/${id}"]`).first().click();
}

/** Nothing sticks out of an open dialog, and axe finds nothing in it, on a phone and at a desk. */
async function expectReadable(page: Page, dialog: Locator) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await violationsIn(page)).toEqual([]);
    expect(await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
  }
}

/** What an account's page shows as the value of a fact. A page that is still arriving has it twice for a moment. */
const fact = (page: Page, label: string) => page.locator("dt", { hasText: label }).locator("+ dd").first();

test("the operator approves a seller in one step with features, fees, limits and a mail, and suspends it after a confirmation", async ({
  page,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  await signIn(page);
  expect(new URL(page.url()).pathname).toBe("/operator/accounts");
  await findSeller(page, seller, id);
  await expect(fact(page, "Taxa do Pix")).toHaveText("1,99%");
  await expect(page.getByText("É o que a conta terá quando for aprovada.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Mudar…" })).toBeHidden();

  await page.getByRole("button", { name: "Aprovar conta" }).click();
  const approval = page.getByRole("dialog", { name: `Aprovar ${seller.account.name}` });
  await expect(approval).toContainText(`${seller.email} não o recebe`); // no server is set
  await expect(approval, "nobody learns it from a refused charge").toContainText("não tem provedor de Pix");
  await expectReadable(page, approval);
  await approval.getByRole("button", { name: "Fechar" }).click();
  await expect(page.getByText("Não aprovada", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Aprovar conta" }).click();
  await approval.getByLabel(/^Cartões/).check();
  const pix = approval.getByRole("group", { name: "Taxa do Pix" });
  await pix.getByLabel("Percentual").fill("120");
  await approval.getByRole("button", { name: "Aprovar", exact: true }).click();
  await expect(approval.getByText("De 0 a 100, com até duas casas.")).toBeVisible();
  await pix.getByLabel("Percentual").fill("0,99");
  await expect(approval.getByText("Sem espaço, novas cobranças são recusadas.")).toBeVisible();
  await approval.getByLabel("Espaço para dados em 30 dias, em MB").fill("2.048");
  await approval.getByRole("button", { name: "Aprovar", exact: true }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await expect(fact(page, "Espaço para dados")).toHaveText("até 2.048 MB em 30 dias");
  await expect
    .poll(async () => (await lettersTo(seller.email)).at(-1))
    .toMatchObject({
      template: "account_approved",
      features: ["cards"],
      pixFee: { basisPoints: 99, fixed: 0 },
      ...{ cardSettlementDays: 30, storageLimitMb: 2_048 },
      url: expect.stringContaining(`/${id}/home`),
    });

  await page.getByRole("button", { name: "Suspender conta" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Suspender conta" }).click();
  await expect(dialog).toContainText(`não recebe um e-mail disto: avise ${seller.email}`);
  await dialog.getByRole("button", { name: "Suspender conta" }).click();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await expect(fact(page, "Recursos")).toHaveText("Pix, Cartões");
});

test.describe("with a form that is refused", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("the operator sees and changes features, fees and limits of an approved account by the same form, which another's change in between stops", async ({
    page,
  }) => {
    const seller = await makeAccount({ mode: "live", features: ["cards"] });
    const { accountId: id } = seller;
    await page.context().addCookies([await staffCookie()]);
    await page.goto(`/operator/accounts/${id}`);
    await expect(fact(page, "Taxa do cartão")).toHaveText(/^3,99% \+ R\$\s0,39$/);
    await expect(fact(page, "Dinheiro do cartão")).toHaveText("disponível 30 dias depois da venda");
    await page.getByRole("button", { name: "Mudar…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Recursos, taxas e limites de/ });
    await expect(dialog).toContainText(`${seller.email} não o recebe`);
    await expectReadable(page, dialog);
    await dialog.getByRole("group", { name: "Taxa do cartão" }).getByLabel("Mínimo, em reais").fill("1,50");
    await dialog.getByLabel("Prazo do cartão, em dias").fill("dez");
    await dialog.getByLabel("Taxa do estorno, em reais").fill("1.000,01");
    await dialog.getByLabel(/^Saques/).check();
    await dialog.getByRole("button", { name: "Salvar", exact: true }).click();
    await expect(dialog.getByText("De 0 a 365 dias.")).toBeVisible();
    await expect(dialog.getByText("De 0 a 1.000 reais, com até duas casas.")).toBeVisible();
    await dialog.getByLabel("Prazo do cartão, em dias").fill("14");
    await dialog.getByLabel("Taxa do estorno, em reais").fill("1,50");

    await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { pixFeeBasisPoints: 50 } }));
    await dialog.getByRole("button", { name: "Salvar", exact: true }).click();
    await expect(dialog.getByText("Outra pessoa mudou esta conta desde que a página foi aberta.")).toBeVisible();
    await page.reload();
    await expect(fact(page, "Taxa do Pix")).toHaveText("0,5%");
    await expect(fact(page, "Recursos")).toHaveText("Pix, Cartões");

    await page.getByRole("button", { name: "Mudar…" }).click();
    await dialog.getByRole("group", { name: "Taxa do cartão" }).getByLabel("Mínimo, em reais").fill("R$ 1,50");
    await dialog.getByLabel("Prazo do cartão, em dias").fill("14");
    await expect(dialog.getByLabel("Taxa do estorno, em reais")).toHaveValue("0,00");
    await dialog.getByLabel("Taxa do estorno, em reais").fill("R$ 1,50");
    await dialog.getByLabel(/^Saques/).check();
    await dialog.getByRole("button", { name: "Salvar", exact: true }).click();
    await expect(fact(page, "Taxa do estorno")).toHaveText(/^R\$\s1,50$/);
    await expect(fact(page, "Dinheiro do cartão")).toHaveText("disponível 14 dias depois da venda");
    await expect(fact(page, "Taxa do cartão")).toHaveText(/^3,99% \+ R\$\s0,39, no mínimo R\$\s1,50$/);
    await expect(fact(page, "Recursos")).toHaveText("Pix, Cartões, Saques");
    await expect
      .poll(() => lettersTo(seller.email))
      .toMatchObject([
        { template: "account_changed", features: ["cards", "cash_out"], refundFee: 150, cardSettlementDays: 14 },
      ]);
  });
});

test("the operator adjusts a balance in four actions with what it comes to shown first, and the seller reads it in the statement", async ({
  page,
  context,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  await context.addCookies([await staffCookie()]);
  await page.goto(`/operator/accounts/${id}`);
  const available = page.getByRole("main").getByRole("row", { name: /^Disponível R/ });
  await expect(available).toHaveText(/R\$\s0,00$/);
  await page.getByRole("button", { name: "Ajustar…" }).click(); // 1
  const dialog = page.getByRole("dialog", { name: `Ajustar o saldo de ${seller.account.name}` });
  await dialog.getByLabel("Valor do ajuste").fill("5000"); // 2
  await dialog.getByLabel("Motivo").fill("Taxa cobrada a mais."); // 3
  await expect(dialog.getByRole("row", { name: /^Disponível depois/ })).toContainText(/R\$\s50,00/);
  await expectReadable(page, dialog);
  await dialog.getByRole("button", { name: /^Creditar R\$\s50,00$/ }).click(); // 4
  await expect(dialog).toHaveCount(0);
  await expect(available).toHaveText(/R\$\s50,00$/);
  await expect(page.getByText("Ajuste a crédito").first(), "the account's history").toBeVisible();
  await expect(page.getByText(/R\$\s50,00 · Pela operação · “Taxa cobrada a mais\.”/).first()).toBeVisible();

  await context.addCookies([await sessionCookie(id)]);
  await page.goto(`/${id}/home`);
  await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Saldo e extrato" }).click();
  const line = page.getByRole("row", { name: /Ajuste da operação, a crédito/ });
  await expect(line).toContainText("Taxa cobrada a mais.");
  await expect(line).toContainText(/R\$\s50,00/);
  await expect(line).toContainText("Disponível · Entrada");
});

test.describe("an adjustment that the API refuses", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("keeps what was typed: more than is available", async ({ page, context, seller }) => {
    const id = await liveAccountOf(seller);
    await context.addCookies([await staffCookie()]);
    await page.goto(`/operator/accounts/${id}`);
    await page.getByRole("button", { name: "Ajustar…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Debitar da conta").check();
    await dialog.getByLabel("Valor do ajuste").fill("1");
    await dialog.getByLabel("Motivo").fill("Taxa de outubro.");
    await dialog.getByRole("button", { name: /^Debitar/ }).click();
    await expect(dialog.getByText("O saldo disponível da conta não cobre este valor.")).toBeVisible();
    await expect(dialog.getByLabel("Valor do ajuste")).toHaveValue("0,01");
    await expect(dialog.getByLabel("Motivo")).toHaveValue("Taxa de outubro.");
  });
});

for (const width of [1280, 360]) {
  test(`the console's sidebar leads by the keyboard to what waits first, and says where one is (${width} px)`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await context.addCookies([await staffCookie()]);
    await page.goto("/operator/mails");
    await page.waitForLoadState("networkidle");
    const menu = page.getByRole("navigation", { name: "Operação" });
    const open = async () => {
      if (width > 360) return;
      await page.getByRole("button", { name: "Abrir o menu" }).focus();
      await page.keyboard.press("Enter");
    };
    await open();
    await expect(menu.getByRole("link")).toHaveText([
      ...["Tudo que espera", "Contas a aprovar", "Cadastros", "Estornos", "Contestações", "Saques"],
      ...["Dinheiro sem venda", "Contas", "Receita", "Conciliação", "Diferenças", "Parar saques"],
      ...["Saúde", "Sem resposta", "Recusas", "Trabalhos", "Mensagens", "Auditoria", "Prazos de guarda", "Equipe"],
    ]);
    await expect(menu.getByRole("link", { name: "Mensagens" })).toHaveAttribute("aria-current", "page");
    expect(await violationsIn(page)).toEqual([]);
    await menu.getByRole("link", { name: "Contas a aprovar" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/operator\/accounts\?status=pending$/);
    await open();
    await expect(menu.locator("[aria-current=page]")).toHaveText(["Contas a aprovar"]);
  });
}

test("the operator sees that another account has the same document, on the request and in its approval, and may approve it", async ({
  page,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  const other = await makeAccount({ mode: "live" });
  const { document } = await forAccount(id, (tx) => tx.account.findUniqueOrThrow({ where: { id } }));
  await forAccount(other.accountId, (tx) =>
    tx.account.update({ where: { id: other.accountId }, data: { document, name: "Ateliê Aurora" } }),
  );
  await page.context().addCookies([await staffCookie()]);
  await page.goto(`/operator/accounts/${id}`);
  const same = page.getByRole("region", { name: "Outras contas com o mesmo documento" }).first();
  const link = same.getByRole("link", { name: "Ateliê Aurora" });
  await expect(link).toHaveAttribute("href", `/operator/accounts/${other.accountId}`);
  await expect(same).toContainText("Aprovada");

  await page.getByRole("button", { name: "Aprovar conta" }).click();
  const approval = page.getByRole("dialog", { name: `Aprovar ${seller.account.name}` });
  await expect(approval.getByRole("link", { name: "Ateliê Aurora" })).toHaveAttribute("target", "_blank");
  await expectReadable(page, approval);
  await approval.getByRole("button", { name: "Aprovar", exact: true }).click();
  await expect(approval).toBeHidden();
  await expect(page.getByRole("button", { name: "Suspender conta" })).toBeVisible();
  await link.click();
  await expect(page.getByRole("heading", { name: "Ateliê Aurora" })).toBeVisible();
  await expect(same.getByRole("link", { name: seller.account.name })).toBeVisible();
});

test("an operator who reads English has English numbers in what is shown and in the form", async ({ page }) => {
  const { accountId } = await makeAccount({ mode: "live" });
  await page
    .context()
    .addCookies([await staffCookie(), { name: "locale", value: "en", domain: "localhost", path: "/" }]);
  await page.goto(`/operator/accounts/${accountId}`);
  await expect(fact(page, "Card fee")).toHaveText(/^3\.99\s% \+ R\$\s0\.39$/);
  await expect(fact(page, "Space for data")).toHaveText("up to 1,024 MB in 30 days");
  await page.getByRole("button", { name: "Change…" }).click();
  const fee = page.getByRole("dialog").getByRole("group", { name: "Card fee" });
  await expect(fee.getByLabel("Percentage")).toHaveValue("3.99");
  await expect(fee.getByLabel("Fixed amount, in reais")).toHaveValue("0.39");
});

test("a mail that nobody got is counted and found as kept, not as sent, and the headings of the list stand apart", async ({
  page,
}) => {
  const mail = aMail();
  await asSystem(async (tx) => {
    await writeMail(tx, mail);
    const data = { status: "sent", sentBy: "inbox", sentAt: new Date(), nextAttemptAt: null } as const;
    await tx.mail.update({ where: { intent: mail.intent }, data });
  });
  await page.context().addCookies([await staffCookie()]);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/operator/mails?search=${mail.to.email}`);
    await expect(page.getByRole("link", { name: "Enviadas 0", exact: true }).first()).toBeVisible();
    await page.getByRole("link", { name: "Guardadas 1" }).first().click();
    await expect(page).toHaveURL(/status=kept/);
    await expect(page.getByText("Guardada aqui, não enviada", { exact: true }).first()).toBeVisible();
    await expectHeadsApart(page);
  }
  await page.getByRole("link", { name: mail.to.email }).first().click();
  await expect(page.getByText("Guardada aqui e enviada a ninguém").first()).toBeVisible();
});

test("the operator finds a refused mail, reads what the server said, and sends it again", async ({ page, seller }) => {
  const mail = aMail({ content: contents.confirm_address, accountId: seller.accountId, mode: "sandbox" });
  await asSystem(async (tx) => {
    await writeMail(tx, mail);
    const data = {
      status: "exhausted",
      error: "recipient_refused",
      answer: "550 unknown user",
      nextAttemptAt: null,
    } as const;
    await tx.mail.update({ where: { intent: mail.intent }, data });
  });
  await signIn(page);
  await page.getByRole("link", { name: "Mensagens" }).click();
  await page.getByRole("heading", { name: "Mensagens" }).waitFor();
  await page.getByLabel("Buscar mensagens").first().fill(mail.to.email);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: mail.to.email }).click();

  await expect(page.getByText("550 unknown user")).toBeVisible();
  const shown = page.frameLocator("iframe");
  await expect(shown.getByRole("heading", { name: "Confirme o seu e-mail" })).toBeVisible();
  await expect(shown.getByText("TESTE:")).toBeVisible();
  await page.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(page.getByText("A mensagem voltou para a fila").first()).toBeVisible();
  await expect(page.getByText("Guardada aqui, não enviada", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Tentar de novo" })).toBeHidden();
});

test("for a seller there is no console, only its sign-in", async ({ page, seller }) => {
  for (const path of ["/operator/mails", `/operator/accounts/${await liveAccountOf(seller)}`]) {
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`/operator/sign-in\\?next=${encodeURIComponent(path)}$`));
    await expect(page.getByRole("heading", { level: 1, name: "Entre na operação" })).toBeVisible();
  }
});
