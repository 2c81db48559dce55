import type { Browser } from "@playwright/test";
import { forAccount, prisma } from "@/lib/db";
import { readBalances } from "@/lib/ledger/balance";
import { hashPassword } from "@/lib/users/password";
import { content, cookieOf, expect, liveAccountOf, type Page, type Seller, staffCookie, test } from "./fixtures";
import { codeOf, giveSecondFactor, makeMember, ownerOf, PASSWORD } from "./people";
import { violationsIn } from "./pictures";
import { see, seeAsStaff } from "./visits";
import { unanswered } from "./withdrawal-pages";
import { payee, readWithdrawal, setTerms, withdrawn } from "./withdrawals";

const idIn = (page: Page) => /withdrawals\/([\da-f-]{36})/.exec(page.url())?.[1] ?? "";
const proof = (page: Page) => page.getByRole("dialog", { name: "É você mesmo?" });
const owner = (page: Page) => page.getByRole("dialog", { name: "Confira quem recebe" });

const balances = async ({ accountId }: Seller) => {
  const { available, held } = await readBalances(accountId);
  return [available, held];
};

async function expectClean(page: Page) {
  expect(await violationsIn(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

/** A page of a browser of its own, in which a person of the seller's team is signed in and has not proved again who they are. */
async function pageOf(browser: Browser, baseURL: string | undefined, seller: Seller, userId: string) {
  const context = await browser.newContext({
    ...{ baseURL: baseURL ?? "", locale: "pt-BR", timezoneId: "America/Sao_Paulo" },
    viewport: { width: 360, height: 800 },
  });
  await context.addCookies([await cookieOf("seller", userId, seller.accountId)]);
  await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });
  return context.newPage();
}

test.describe("a person proves who they are", () => {
  test.use({ allowErrors: /Failed to load resource/ }); // the step-up is asked for by a 403

  test("finance asks for a withdrawal above the limit with a code, and the owner approves it on a phone with another; it is paid, and both read who did what", async ({
    page,
    seller,
    browser,
    baseURL,
  }) => {
    await setTerms(seller, { approvalAbove: 500_00, withdrawalFee: 150 });
    const finance = await makeMember(seller, "Bia Nunes", "finance");
    const { userId } = await ownerOf(seller);
    const [hers, his] = [await giveSecondFactor(finance.id), await giveSecondFactor(userId)];
    await page.context().addCookies([await cookieOf("seller", finance.id, seller.accountId)]);
    await prisma().session.updateMany({ where: { userId: finance.id }, data: { steppedUpAt: null } });

    await see(page, "/withdrawals/new");
    await page.getByLabel("Chave Pix").fill("zelia@example.com");
    await page.getByLabel("CPF ou CNPJ do titular").fill("529.982.247-25");
    await page.getByLabel("Valor do saque").fill("80000");
    await page.getByRole("button", { name: "Conferir o titular" }).click();
    await expect(owner(page).getByText("Pessoa de Teste")).toBeVisible();
    await expect(owner(page).getByText("O valor passa de R$ 500,00: outra pessoa da equipe")).toBeVisible();
    expect(await balances(seller), "nothing is held before it is confirmed").toEqual([500_000, 0]);
    await owner(page)
      .getByRole("button", { name: /^Sacar R\$\s800,00$/ })
      .click();
    await proof(page).getByLabel("Código do aplicativo").fill(codeOf(hers));
    await proof(page).getByRole("button", { name: "Confirmar" }).click();
    await expect(content(page).getByText("Aguardando aprovação").first()).toBeVisible();
    const id = idIn(page);
    await expect(content(page).getByText(/R\$\s801,50 estão reservados do seu saldo\. Outra pessoa/)).toBeVisible();
    await expect(content(page).getByText("Foi você quem pediu: outra pessoa da equipe decide.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Aprovar saque" })).toHaveCount(0);
    expect(await balances(seller)).toEqual([500_000 - 801_50, 801_50]);
    await expectClean(page);

    const phone = await pageOf(browser, baseURL, seller, userId);
    await see(phone, "/home");
    await phone.getByRole("link", { name: /1 saque espera aprovação/ }).click();
    await content(phone).getByRole("link", { name: "Pessoa de Teste" }).click();
    await expect(content(phone).getByText("Bia Nunes").first()).toBeVisible();
    await phone.getByRole("button", { name: "Aprovar saque" }).click();
    const sure = phone.getByRole("alertdialog", { name: "Aprovar este saque?" });
    await expect(sure).toContainText(/R\$\s800,00 saem por Pix para Pessoa de Teste/);
    await sure.getByRole("button", { name: "Aprovar saque" }).click();
    await proof(phone).getByLabel("Código do aplicativo").fill(codeOf(his));
    await proof(phone).getByRole("button", { name: "Confirmar" }).click();
    await expect(phone.getByRole("button", { name: "Aprovar saque" })).toHaveCount(0);
    await expect.poll(async () => (await readWithdrawal(seller, id)).status).toBe("accepted");
    await phone.getByRole("button", { name: "Simular: pago" }).click();
    await expect(content(phone).getByText("Concluído", { exact: true }).first()).toBeVisible();
    await expectClean(phone);
    await phone.context().close();

    await page.reload();
    await expect(content(page).getByText("Saiu do seu saldo")).toBeVisible();
    await expect(
      content(page)
        .getByText(/Por Bia Nunes/)
        .first(),
    ).toBeVisible();
    await expect(
      content(page)
        .getByText(/Por Teste/)
        .first(),
    ).toBeVisible();
    expect(await balances(seller)).toEqual([500_000 - 801_50, 0]);
  });

  for (const width of [1280, 360]) {
    test(`from sign-in to the receipt: a seller withdraws to a pasted phone, sees whose it is, and prints who was paid (${width} px)`, async ({
      page,
      context,
      seller,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await context.clearCookies();
      const { userId } = await ownerOf(seller);
      await prisma().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(PASSWORD) } });
      await page.goto(`/${seller.accountId}/home`);
      await page.getByLabel("E-mail").fill(seller.email);
      await page.getByLabel("Senha").fill(PASSWORD);
      await page.getByRole("button", { name: "Entrar", exact: true }).click();
      await expect(page).toHaveURL(/\/home$/);
      await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } }); // some minutes have passed
      await content(page).getByRole("link", { name: "Sacar" }).click();
      await page.getByLabel("Chave Pix").fill("+55 (11) 98765-4321");
      await expect(content(page).getByText("Telefone: (11) 98765-4321")).toBeVisible();
      await page.getByLabel("CPF ou CNPJ do titular").fill(payee.document);
      await page.getByRole("button", { name: /^Sacar R\$\s5\.000,00$/ }).click();
      await expect(page.getByLabel("Valor do saque")).toHaveValue("5.000,00");
      await page.getByLabel("Valor do saque").fill("15050");
      await page.keyboard.press("Enter"); // on a phone the button is below the bar at its foot until one scrolls
      await expect(owner(page).getByText("Pessoa de Teste")).toBeVisible();
      await expectClean(page);
      await owner(page)
        .getByRole("button", { name: /^Sacar R\$\s150,50$/ })
        .click();
      await proof(page).getByLabel("Senha").fill(PASSWORD);
      await proof(page).getByRole("button", { name: "Confirmar" }).click();
      await expect(content(page).getByText("Em processamento", { exact: true }).first()).toBeVisible();
      await page.getByRole("button", { name: "Simular: pago" }).click();
      await content(page).getByRole("link", { name: "Comprovante" }).click();
      await expect(content(page).getByRole("heading", { name: "Comprovante de saque por Pix" })).toBeVisible();
      for (const text of [
        /R\$\s150,50/,
        seller.account.name,
        "Pessoa de Teste",
        "***.982.247-**",
        /\(11\) \*{5}-4321/,
      ]) {
        await expect(content(page).getByText(text).first()).toBeVisible();
      }
      await expect(content(page).getByText(/^E\d{8}\w{23}$/), "the end-to-end id").toBeVisible();
      await expectClean(page);
      await page.emulateMedia({ media: "print" });
      await expect(page.getByRole("button", { name: "Imprimir" }), "on paper there is nothing to press").toBeHidden();
      await expect(page.getByRole("navigation").first()).toBeHidden();
    });
  }
});

test.describe("where the API refuses", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("the form keeps what was typed: a key of nobody, one of somebody else, more than there is, and an ambiguous key", async ({
    page,
    seller,
  }) => {
    await see(page, "/withdrawals/new");
    const key = page.getByLabel("Chave Pix");
    const next = page.getByRole("button", { name: "Conferir o titular" });
    await key.fill("unknown@psp.example");
    await page.getByLabel("CPF ou CNPJ do titular").fill(payee.document);
    await page.getByLabel("Valor do saque").fill("500001");
    await next.click();
    await expect(content(page).getByText(/^Informe um valor de até R\$\s5\.000,00\.$/)).toBeVisible();
    await page.getByLabel("Valor do saque").fill("15000");
    await next.click();
    await expect(content(page).getByText("Nenhuma conta tem esta chave.")).toBeVisible();
    await expect(key, "the first fault has the focus").toBeFocused();
    await key.fill("another@psp.example");
    await next.click();
    await owner(page)
      .getByRole("button", { name: /^Sacar R/ })
      .click();
    await expect(content(page).getByText("A chave não é desta pessoa.")).toBeVisible();
    await expect(page.getByLabel("CPF ou CNPJ do titular")).toBeFocused();
    await expect(page.getByLabel("Valor do saque")).toHaveValue("150,00");
    expect(await balances(seller)).toEqual([500_000, 0]);
    await key.fill("11987600078");
    await expect(
      content(page)
        .getByText(/CPF|Telefone/)
        .first(),
    ).toBeVisible();
  });
});

test("while the operator has the payouts of an account stopped, a withdrawal to a saved payee waits, says why, and is cancelled", async ({
  page,
  seller,
}) => {
  await withdrawn(seller, "paid");
  const before = await balances(seller);
  const stoppedBy = (await ownerOf(seller)).userId;
  const stop = { scope: "account", target: seller.accountId, reason: "Suspeita de invasão.", stoppedBy } as const;
  await prisma().payoutStop.create({ data: stop });
  await see(page, "/withdrawals/new");
  await expect(content(page).getByText(/^Os saques estão parados pela operação desde/)).toBeVisible();
  await expect(page.getByRole("radio", { name: /Pessoa de Teste/ })).toBeChecked();
  await page.getByLabel("Valor do saque").fill("10000");
  await page.getByRole("button", { name: "Conferir o titular" }).click();
  await owner(page)
    .getByRole("button", { name: /^Sacar R/ })
    .click();
  await expect(content(page).getByText("Na fila", { exact: true }).first()).toBeVisible();
  await expect(content(page).getByText(/Os saques estão parados pela operação: este sai quando/)).toBeVisible();
  await page.getByRole("button", { name: "Cancelar saque" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar saque" }).click();
  await expect(content(page).getByText("Cancelado", { exact: true }).first()).toBeVisible();
  expect(await balances(seller)).toEqual(before);
});

test("the staff stops the payouts of an account with a reason, reads who did it among all stops, and lets them go", async ({
  page,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { features: ["cash_out"] } }));
  await seeAsStaff(page, `/operator/accounts/${id}`);
  await page.getByRole("button", { name: "Parar saques…" }).click();
  const form = page.getByRole("dialog", { name: `Parar os saques: ${seller.account.name}` });
  await form.getByRole("button", { name: "Parar saques" }).click();
  await expect(form.getByText("Escreva por que os saques param.")).toBeVisible();
  await form.getByLabel("Motivo").fill("Suspeita de invasão.");
  await expectClean(page);
  await form.getByRole("button", { name: "Parar saques" }).click();
  await expect(content(page).getByText("Parados", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Parar saques" }).click();
  const row = content(page).getByRole("listitem").filter({ hasText: seller.account.name });
  await expect(row).toContainText("Suspeita de invasão.");
  await expect(row).toContainText("Por Olga Prado");
  await row.getByRole("button", { name: "Liberar saques" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Liberar saques" }).click();
  await expect(row).toHaveCount(0);
});

test("the operator gives up what the bank does not know, with a reason that the seller reads, and the money is back", async ({
  page,
  context,
  seller,
}) => {
  const path = await unanswered(seller);
  await context.addCookies([await staffCookie()]);
  await see(page, "/operator/withdrawals?mode=sandbox");
  await content(page).locator(`a[href$="${path}"]`).click();
  await page.getByRole("button", { name: "Dar por não pago…" }).click();
  const form = page.getByRole("dialog", { name: /^Dar por não pago o saque de R\$\s150,00 de / });
  await expect(form).toContainText(/R\$\s150,00 voltam na hora para o saldo disponível/);
  await form.getByRole("button", { name: "Dar por não pago" }).click();
  await expect(form.getByLabel("Motivo"), "the first fault has the focus").toBeFocused();
  await form.getByLabel("Motivo").fill("O banco não recebeu o pedido.");
  await expectClean(page);
  await form.getByRole("button", { name: "Dar por não pago" }).click();
  await expect(content(page).getByText("Não concluído", { exact: true }).first()).toBeVisible();
  expect(await balances(seller)).toEqual([500_000, 0]);
  const { userId } = await ownerOf(seller);
  await context.addCookies([await cookieOf("seller", userId, seller.accountId)]);
  await see(page, path.replace(`/operator/withdrawals/${seller.accountId}`, "/withdrawals"));
  await expect(content(page).getByText("O banco não recebeu o pedido.").first()).toBeVisible();
});
