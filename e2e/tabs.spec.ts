import { readContext } from "@/lib/accounts/read";
import { forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readPublicKey } from "@/lib/public-keys/public-key";
import { type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";
import { deposit, expect, type Page, sessionCookie, test } from "./fixtures";
import { photograph } from "./pictures";

/** The two accounts of a seller: live, and its sandbox. */
const accountsOf = (accountId: string) =>
  prisma().membership.findFirstOrThrow({ where: { OR: [{ accountId }, { sandboxId: accountId }] } });

async function keyOf(accountId: string) {
  const account = await readContext(accountId);
  if (!account) throw new Error("there is no such account");
  return (await readPublicKey(account)).data.key;
}

async function switchTo(page: Page, mode: string) {
  await page.getByRole("button", { name: /trocar de ambiente/ }).click();
  await page.locator("[popover]:popover-open").getByText(mode, { exact: true }).click();
}

async function regenerate(page: Page) {
  await page.getByRole("button", { name: "Gerar nova chave" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Gerar nova chave" }).click();
  await expect(page.getByText("Nova chave gerada").first()).toBeVisible();
}

test("two tabs in two modes each act on the account that they show", async ({ page, context, seller }) => {
  const { accountId: live, sandboxId: sandbox } = await accountsOf(seller.accountId);
  await forAccount(live, (tx) => tx.account.update({ where: { id: live }, data: { features: ["cards"] } }));
  await page.goto("/public-key");
  const other = await context.newPage();
  await other.goto("/public-key");
  await switchTo(other, "Produção");
  await expect(other).not.toHaveTitle(/Teste/);
  await expect(page).toHaveTitle(/^\[Teste\]/);
  const before = { live: await keyOf(live), sandbox: await keyOf(sandbox) };

  await regenerate(page);
  expect(await keyOf(live), "what the other tab shows").toBe(before.live);
  const sandboxKey = await keyOf(sandbox);
  expect(sandboxKey).not.toBe(before.sandbox);
  await expect(page.locator("code", { hasText: sandboxKey }).first()).toBeVisible();

  await other.goto(`/${live}/public-key`);
  await regenerate(other);
  expect(await keyOf(live)).not.toBe(before.live);
  expect(await keyOf(sandbox)).toBe(sandboxKey);

  await page.reload();
  await expect(page).toHaveTitle(/^\[Teste\]/);
  await expect(page.locator("code", { hasText: sandboxKey }).first()).toBeVisible();
});

test("menu, palette, rows and Back stay in the account of the page, whatever other tabs showed since", async ({
  page,
  context,
  seller,
}) => {
  const { accountId: live, sandboxId: sandbox } = await accountsOf(seller.accountId);
  const { identifier } = await deposit(seller);
  const expectAt = (path: string) => expect(page).toHaveURL(new RegExp(`/${sandbox}${path}$`));
  await page.goto(`/${sandbox}/home`);
  await (await context.newPage()).goto(`/${live}/home`);

  await page.getByRole("link", { name: "Transações" }).click();
  await expectAt("/transactions");
  await page.getByRole("link", { name: /Zélia Prado/ }).click();
  await expectAt(`/transactions/${identifier}`);
  await page.getByRole("link", { name: "Ver o QR code" }).click();
  await expectAt(`/charges/${identifier}`);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Página, ou o que procurar").fill("webh");
  await page.keyboard.press("Enter");
  await expectAt("/webhooks");
  await page.keyboard.press("?");
  await page.getByPlaceholder("Página, ou o que procurar").fill("zelia");
  await page.getByRole("option", { name: /^Procurar .* nas vendas/ }).click();
  await expectAt("/transactions\\?search=zelia");
  await page.getByRole("link", { name: "Pendentes" }).click();
  await expectAt("/transactions\\?.*status=pending.*");
  for (const path of ["/transactions\\?search=zelia", "/webhooks", `/charges/${identifier}`]) {
    await page.goBack();
    await expectAt(path);
  }
  await expect(page).toHaveTitle(/^\[Teste\]/);
});

test.describe("a page that was left open", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  const typeDeposit = async (page: Page) => {
    await page.goto("/charges/new");
    await page.getByLabel("Valor").first().fill("132,00");
    await page.getByLabel("Descrição").first().fill("Assinatura da revista");
  };
  const expectTyped = async (page: Page) => {
    await expect(page.getByLabel("Valor")).toHaveValue("132,00");
    await expect(page.getByLabel("Descrição")).toHaveValue("Assinatura da revista");
  };
  const send = (page: Page) => page.getByRole("button", { name: "Gerar cobrança" }).click();
  const salesOf = async ({ accountId }: Made) => (await tracesOf(accountId)).transactions;

  test("after another person signed in: a write is refused with a notice that keeps what was typed and offers to reload", async ({
    page,
    context,
    seller,
  }) => {
    await typeDeposit(page);
    const other = await makeAccount();
    await context.addCookies([await sessionCookie(other.accountId)]);
    await (await context.newPage()).goto("/home");

    await send(page);
    const notice = page.getByRole("alertdialog", { name: "Esta página é de outra conta" });
    await expect(notice).toContainText(`${seller.account.name} · Ambiente de testes`);
    await notice.getByRole("button", { name: "Continuar nesta página" }).click();
    await expectTyped(page);
    await send(page);
    await expect(notice).toBeVisible();
    await photograph(page, "account-changed", "error");
    expect([await salesOf(seller), await salesOf(other)]).toEqual([0, 0]);

    await notice.getByRole("button", { name: "Recarregar" }).click();
    await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    await page.getByRole("link", { name: "Ir para o início" }).click();
    await expect(page.getByText(other.account.name).first()).toBeVisible();
  });

  test("after another person signed in: what was typed in a window of the page stays too", async ({
    page,
    context,
    seller,
  }) => {
    await page.goto(`/${seller.accountId}/webhooks`);
    await page.getByRole("button", { name: "Novo webhook" }).click();
    await page.getByLabel("Nome").fill("Loja");
    await page.getByLabel("Endereço").fill("https://example.com/hooks");
    const other = await makeAccount();
    await context.addCookies([await sessionCookie(other.accountId)]);
    await page.getByRole("button", { name: "Criar webhook" }).click();
    const notice = page.getByRole("alertdialog", { name: "Esta página é de outra conta" });
    await expect(notice).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(notice).toBeHidden();
    await expect(page.getByLabel("Nome")).toHaveValue("Loja");
    await expect(page.getByLabel("Endereço")).toHaveValue("https://example.com/hooks");
    expect([(await tracesOf(seller.accountId)).webhooks, (await tracesOf(other.accountId)).webhooks]).toEqual([0, 0]);
  });

  test("after access was removed: the page's own reads are refused, and one notice is shown", async ({
    page,
    seller,
  }) => {
    const { identifier } = await deposit(seller);
    await page.goto(`/${seller.accountId}/charges/${identifier}`);
    const { userId } = await accountsOf(seller.accountId);
    await prisma().membership.deleteMany({ where: { userId } });
    const notice = page.getByRole("alertdialog", { name: "Esta página é de outra conta" });
    await expect(notice).toBeVisible();
    await notice.getByRole("button", { name: "Continuar nesta página" }).click();
    for (const _ of [1, 2]) await page.waitForResponse((answer) => answer.status() === 409);
    await expect(notice).toBeHidden();
  });
});

test("an address without an account leads to the same page of the account last looked at", async ({ page, seller }) => {
  const { accountId: live, sandboxId: sandbox } = await accountsOf(seller.accountId);
  const leads = async (from: string, to: string) => {
    await page.goto(from);
    await expect(page).toHaveURL(new RegExp(`^[^?]*${to.replaceAll("?", "\\?")}$`));
  };
  const { identifier } = await deposit(seller);
  await leads("/", `/${sandbox}/home`);
  await leads("/transactions?status=pending", `/${sandbox}/transactions?status=pending`);
  await leads(`/transactions/${identifier}`, `/${sandbox}/transactions/${identifier}`);
  await expect(page.getByRole("heading", { name: "R$ 132,00" })).toBeVisible();

  await switchTo(page, "Produção");
  await expect(page).toHaveURL(new RegExp(`/${live}/transactions$`));
  await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
  await leads("/charges/new", `/${live}/charges/new`);
  await leads("/sign-in?next=/webhooks", `/${live}/webhooks`);
  await leads(`/sign-in?next=/${sandbox}/webhooks`, `/${sandbox}/webhooks`);
  await leads("/home", `/${sandbox}/home`);

  await page.context().clearCookies();
  for (const path of ["/webhooks", `/${live}/transactions?status=pending`]) {
    await leads(path, `/sign-in?next=${encodeURIComponent(path)}`);
  }
});

test.describe("an account in an address that is not the visitor's", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("is not found, like one that does not exist", async ({ page, seller }) => {
    const other = await makeAccount();
    const seen = async (account: string) => {
      const answer = await page.goto(`/${account}/home`);
      expect(answer?.status(), account).toBe(404);
      await expect(page).toHaveTitle("Página não encontrada · Repasse");
      return page.locator("main").innerText();
    };
    const nobodys = await seen(newId());
    for (const account of [other.accountId, (await accountsOf(other.accountId)).accountId, "x", "home"]) {
      expect(await seen(account)).toEqual(nobodys);
    }
    await page.goto("/");
    await expect(page).toHaveURL(new RegExp(`/${seller.accountId}/home$`));
  });
});
