import type { Browser } from "@playwright/test";
import { forAccount, prisma } from "@/lib/db";
import { choose, content, expect, mailedLink, paidDeposit, test } from "./fixtures";
import { codeOf, giveSecondFactor, limitRefunds, makeMember, makePerson, ownerOf, PASSWORD } from "./people";
import { secretShown } from "./people-pages";
import { violationsIn } from "./pictures";
import { see } from "./visits";

/** A page of a browser of its own, in which nobody is signed in. */
async function elsewhere(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
  });
  return context.newPage();
}

test.describe("a second person", () => {
  test.use({ allowErrors: /Failed to load resource/ }); // the step-up is asked for by a 403, and a wrong code is a 422

  test("an owner invites finance, who joins by the mail and asks for a refund above the limit; the owner approves it on a phone with a code, and then the refund is there", async ({
    page,
    seller,
    browser,
    baseURL,
  }) => {
    const { userId: owner } = await ownerOf(seller);
    await limitRefunds(seller, 50_00);
    const { identifier } = await paidDeposit(seller);

    await see(page, "/settings/security");
    await page.getByRole("button", { name: "Configurar segundo fator" }).click();
    const secret = await secretShown(page);
    await page.getByLabel("Primeiro código").fill(codeOf(secret));
    await page.getByRole("button", { name: "Ativar" }).click();
    const codes = page.getByRole("dialog", { name: "Guarde os códigos de recuperação" });
    await expect(codes.getByRole("listitem")).toHaveCount(10);
    await codes.getByRole("button", { name: "Já guardei" }).click();
    await expect(content(page).getByText("Sobram 10 códigos de recuperação.")).toBeVisible();

    const email = `bia-${Date.now()}@exemplo.com.br`;
    await page.getByRole("link", { name: "Equipe" }).click();
    await page.getByRole("button", { name: "Convidar pessoa" }).click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("radio", { name: "Financeiro" }).check();
    await page.getByRole("button", { name: "Enviar convite" }).click();
    await expect(content(page).getByText(email)).toBeVisible();

    const hers = await elsewhere(browser, baseURL);
    await hers.goto(await mailedLink(email, "team_invited"));
    await expect(hers.getByText(`convida você para a equipe de ${seller.account.name}`)).toBeVisible();
    await expect(hers.getByText("Como Financeiro")).toBeVisible();
    await hers.getByLabel("Seu nome").fill("Bia Nunes");
    await hers.getByLabel("Senha").fill(PASSWORD);
    await hers.getByRole("button", { name: "Criar acesso e entrar" }).click();
    await expect(hers).toHaveURL(/\/home$/);

    await hers.goto(`/${seller.accountId}/transactions/${identifier}`);
    await choose(hers, "Estornar");
    await hers.getByLabel("Motivo").selectOption({ label: "Produto não entregue" });
    await hers.getByRole("button", { name: "Pedir estorno" }).click();
    await expect(hers.getByRole("dialog", { name: "O estorno espera uma segunda pessoa" })).toBeVisible();
    await hers.getByRole("link", { name: "Ver aprovações" }).click();
    await expect(content(hers).getByText("Foi você quem pediu: outra pessoa decide.")).toBeVisible();
    expect(await refundsOf(seller.accountId), "nothing is held meanwhile").toBe(0);

    await prisma().session.updateMany({ where: { userId: owner }, data: { steppedUpAt: null } });
    await page.setViewportSize({ width: 360, height: 800 });
    await see(page, "/home");
    await page.getByRole("button", { name: "Mais" }).click();
    await page.getByRole("link", { name: "Ajustes 1 espera a sua decisão" }).click();
    await page.getByRole("link", { name: "Aprovações" }).click();
    await expect(content(page).getByText("Pedido por Bia Nunes")).toBeVisible();
    await content(page).getByRole("button", { name: "Aprovar" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Aprovar" }).click();
    const proof = page.getByRole("dialog", { name: "É você mesmo?" });
    await proof.getByLabel("Código do aplicativo").fill("000000");
    await proof.getByRole("button", { name: "Confirmar" }).click();
    await expect(proof.getByText("O código não confere.")).toBeVisible();
    expect(await violationsIn(page)).toEqual([]);
    await proof.getByLabel("Código do aplicativo").fill(codeOf(secret, 1)); // that of the first time counts no more
    await proof.getByRole("button", { name: "Confirmar" }).click();
    await expect(content(page).getByText("Nada espera por uma segunda pessoa.")).toBeVisible();
    await expect(content(page).getByText("Aprovado", { exact: true })).toBeVisible();
    expect(await refundsOf(seller.accountId)).toBe(1);
    await page.getByRole("button", { name: "Mais" }).click();
    await expect(page.getByRole("link", { name: "Ajustes", exact: true })).toBeVisible();

    await hers.goto(`/${seller.accountId}/transactions/${identifier}`);
    await expect(content(hers).getByText("Já há um pedido em aberto.")).toBeVisible();
    await hers.context().close();
  });
});

const refundsOf = (accountId: string) => forAccount(accountId, (tx) => tx.refund.count({ where: { accountId } }));

test.describe("signing in with a second factor", () => {
  test.use({ allowErrors: /Failed to load resource/ }); // a refused sign-in is answered 401

  test("asks for the code, keeps what was typed, refuses a wrong one, and takes the right one", async ({
    page,
    context,
    seller,
  }) => {
    await context.clearCookies();
    const { id, email } = await makeMember(seller, "Bia Nunes", "finance");
    const secret = await giveSecondFactor(id);
    await see(page, "/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Senha").fill(PASSWORD);
    await page.keyboard.press("Enter");
    const code = page.getByLabel("Código do aplicativo");
    await expect(code).toBeFocused();
    await expect(page.getByLabel("Senha")).toHaveValue(PASSWORD);
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("O código não confere.")).toBeVisible();
    await code.fill(codeOf(secret));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/home$/);
  });
});

test("a person with two accounts changes to the other in one tab while another tab stays", async ({ page, seller }) => {
  const { userId } = await ownerOf(seller);
  const live = (await ownerOf(seller)).accountId;
  const other = await prisma().membership.findFirstOrThrow({ where: { userId: { not: userId }, role: "owner" } });
  await prisma().membership.create({ data: { ...other, userId, role: "viewer" } });
  await see(page, `/${live}/home`);
  const second = await page.context().newPage();
  await second.goto(`/${live}/home`);
  await second.getByRole("button", { name: /trocar de ambiente ou conta/ }).click();
  await second.getByRole("navigation", { name: "Contas" }).getByRole("link").last().click();
  await expect(second).toHaveURL(new RegExp(`/(${live}|${other.accountId})/home$`));
  await page.reload();
  await expect(page).toHaveURL(new RegExp(`/${live}/home$`));
});

test("a person whose last access was removed reads so, and is led to no sign-in in a circle", async ({
  page,
  context,
  seller,
}) => {
  await context.clearCookies();
  const { email } = await makePerson("Bia Nunes");
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/accounts$/);
  await expect(page.getByRole("heading", { name: "Você não tem acesso a nenhuma conta" })).toBeVisible();
  for (const path of ["/", "/home", `/${seller.accountId}/home`]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/accounts$/);
  }
});

test("an invitation of somebody else says so, and goes on once they signed out", async ({
  page,
  seller,
  browser,
  baseURL,
}) => {
  const { id, email } = await makePerson("Bia Nunes");
  await see(page, "/settings/team");
  await page.getByRole("button", { name: "Convidar pessoa" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Enviar convite" }).click();
  await expect(content(page).getByText(email)).toBeVisible();
  const link = await mailedLink(email, "team_invited");
  await page.goto(link);
  await expect(page.getByText(`e o convite é para ${email}`)).toBeVisible();
  await page.getByRole("button", { name: "Sair e continuar" }).click();
  await page.getByRole("link", { name: "Entrar", exact: true }).click();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Entrar na equipe" }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await prisma().membership.count({ where: { userId: id } })).toBe(1);

  const again = await elsewhere(browser, baseURL);
  await again.goto(link);
  await expect(again.getByRole("heading", { name: "Este link não abre mais" })).toBeFocused();
  await again.context().close();
  expect((await ownerOf(seller)).userId).not.toBe(id);
});
