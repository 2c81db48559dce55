import { readFileSync } from "node:fs";
import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import { hash } from "@node-rs/argon2";
import { prisma } from "@/lib/db";
import { newSecret } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { expect, mailedLink, type Page, sessionCookie, test } from "./fixtures";

const PASSWORD = "chuva miúda no telhado";

/** A seller who signs in by this password. */
async function makePerson(overrides: { isProven?: boolean } = {}) {
  const made = await makeAccount(overrides);
  await prisma().user.update({ where: { email: made.email }, data: { passwordHash: await hash(PASSWORD) } });
  return made;
}

async function signUp(page: Page, email: string) {
  await page.getByLabel("Nome da empresa").fill("Ateliê Aurora");
  await page.getByLabel("CNPJ ou CPF").fill(generateCnpj());
  await page.getByLabel("Seu nome").fill("Ana Prado");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.getByRole("button", { name: "Criar conta" }).click();
}

test.beforeEach(({ context }) => context.clearCookies());

test("a forgotten password: the e-mail goes along, the link sets another, and it signs in", async ({
  page,
  context,
}) => {
  const { email, accountId } = await makePerson();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("link", { name: "Esqueci minha senha" }).click();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByRole("button", { name: "Enviar o link" }).click();
  await expect(page.getByRole("heading", { name: "Confira o seu e-mail" })).toBeFocused();

  const link = await mailedLink(email, "reset_password");
  await page.goto(link);
  await page.getByLabel("Nova senha").fill("curta");
  await page.getByRole("button", { name: "Salvar a nova senha" }).click();
  await expect(page.getByText("Use 12 caracteres ou mais")).toBeVisible();
  await expect(page.getByLabel("Nova senha")).toBeFocused();
  await context.addCookies([await sessionCookie(accountId)]);
  await page.getByLabel("Nova senha").fill("outra frase só minha");
  await page.getByRole("button", { name: "Salvar a nova senha" }).click();

  await expect(page.getByText("Senha alterada. Entre com a nova senha.")).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByLabel("Senha").fill("outra frase só minha");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect.poll(async () => (await lettersTo(email)).map(({ template }) => template)).toContain("password_changed");
});

test("whoever signs up with a known address sees what everybody sees, and its owner gets the mail", async ({
  page,
}) => {
  const { email } = await makePerson();
  await page.goto("/sign-up");
  await signUp(page, email);
  await expect(page.getByRole("heading", { name: "Confira o seu e-mail" })).toBeVisible();
  await mailedLinkOf(email);
  await page.getByRole("button", { name: "Corrigir o endereço" }).click();
  await expect(page.getByLabel("Nome da empresa")).toHaveValue("Ateliê Aurora");
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
});

const mailedLinkOf = (email: string) =>
  expect.poll(async () => (await lettersTo(email)).map(({ template }) => template)).toEqual(["address_already_known"]);

test("opening a link changes nothing, and its pages tell no other page their address", async ({ page, request }) => {
  const email = `ana-${Date.now()}@exemplo.com.br`;
  await page.goto("/sign-up");
  await signUp(page, email);
  await expect(page.getByRole("heading", { name: "Confira o seu e-mail" })).toBeVisible();
  const link = await mailedLink(email, "confirm_address");
  for (const path of [link, link.replace("/confirm/", "/reset/")]) {
    for (let times = 0; times < 2; times += 1) {
      const answer = await request.get(path);
      expect(answer.status()).toBe(200);
      expect(answer.headers()["referrer-policy"]).toBe("no-referrer");
      expect(answer.headers()["cache-control"]).toContain("no-store");
      expect(await answer.text()).not.toContain(link.split("/").at(-1));
    }
  }
  expect(await prisma().user.count({ where: { email } })).toBe(0);
  await page.goto(link);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.getByRole("button", { name: "Confirmar e-mail" }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(readFileSync(process.env.SERVER_LOG ?? "", "utf8")).not.toContain(link.split("/").at(-1));
});

test("a person whose address is not confirmed asks for the mail at home, and confirms without the password", async ({
  page,
  context,
}) => {
  const { email, accountId } = await makePerson({ isProven: false });
  await context.addCookies([await sessionCookie(accountId)]);
  await page.goto("/home");
  await page.getByRole("button", { name: "Enviar o e-mail de confirmação" }).click();
  await expect(page.getByText("E-mail enviado para").first()).toBeVisible();
  await page.goto(await mailedLink(email, "confirm_address"));
  await expect(page.getByLabel("Senha")).toHaveCount(0);
  await page.getByRole("button", { name: "Confirmar e-mail" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText("Pago hoje").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Enviar o e-mail de confirmação" })).toHaveCount(0);
});

test.describe("a link that does not open", () => {
  test.use({ allowErrors: /410|422/ });

  test("says so in place of the form, and where another comes from", async ({ page }) => {
    await page.goto(`/reset/${newSecret()}`);
    await page.getByLabel("Nova senha").fill(PASSWORD);
    await page.getByRole("button", { name: "Salvar a nova senha" }).click();
    await expect(page.getByRole("heading", { name: "Este link não abre mais" })).toBeFocused();
    await page.getByRole("link", { name: "Pedir outro link" }).click();
    await expect(page).toHaveURL(/\/forgot$/);
    await page.goto(`/confirm/${newSecret()}`);
    await page.getByLabel("Senha").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Este link não abre mais" })).toBeFocused();
    await page.getByRole("link", { name: "Criar conta" }).click();
    await expect(page).toHaveURL(/\/sign-up$/);
  });

  test("asks for the person's password where nobody is signed in, and keeps the page after a wrong one", async ({
    page,
    context,
  }) => {
    const { email, accountId } = await makePerson({ isProven: false });
    await context.addCookies([await sessionCookie(accountId)]);
    await page.goto("/home");
    await page.getByRole("button", { name: "Enviar o e-mail de confirmação" }).click();
    const link = await mailedLink(email, "confirm_address");
    await context.clearCookies();
    await page.goto(link);
    await page.getByLabel("Senha").fill("a frase de outra pessoa");
    await page.getByRole("button", { name: "Confirmar e-mail" }).click();
    await expect(page.getByText("A senha não confere")).toBeVisible();
    await page.getByLabel("Senha").fill(PASSWORD);
    await page.getByRole("button", { name: "Confirmar e-mail" }).click();
    await expect(page).toHaveURL(/\/home$/);
  });
});

test("who comes by an invitation's link has the account at once, and accepts it there", async ({ page }) => {
  const email = `bento-${Date.now()}@exemplo.com.br`;
  const seller = await makeAccount();
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers: { authorization: `Bearer ${seller.token}` }, data });
    return ((await answer.json()) as { data: { token: string } }).data;
  };
  const plan = { name: "Mensal", amount: 49.9, billing_method: "qr_code" };
  const { token } = await send("/api/partner/v1/subscription-plans", plan);
  await send(`/api/partner/v1/subscription-plans/${token}/splits`, { email, percentage: 10 });
  await page.goto(await mailedLink(email, "split_invited"));
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByRole("link", { name: "Criar conta" }).click();
  await signUp(page, email);
  await expect(page).toHaveURL(/\/invite\/[\w-]{43}$/);
  expect(await prisma().user.findUniqueOrThrow({ where: { email } })).toMatchObject({ emailConfirmedAt: null });
  const again = await page.reload();
  expect(again?.headers()["referrer-policy"]).toBe("no-referrer");
  await page.getByRole("button", { name: "Aceitar repasse" }).click();
  await expect(page.getByRole("heading", { name: "Repasse aceito" })).toBeVisible();
});
