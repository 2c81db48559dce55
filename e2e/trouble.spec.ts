import { prisma } from "@/lib/db";
import { type Made, makeAccount } from "@/lib/testing/make";
import { tracesOf } from "@/lib/testing/traces";
import { hashPassword } from "@/lib/users/password";
import { deposit, expect, type Page, type Seller, sessionCookie, test } from "./fixtures";
import { photograph } from "./pictures";

/** The browser logs each answer that did not arrive. */
test.use({ allowErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load chunk/ });

const CASH_IN = "**/api/partner/v1/cash-in";
const CHUNKS = "**/_next/static/chunks/**";
const PASSWORD = "chuva miúda no telhado";

const salesOf = async ({ accountId }: Made) => (await tracesOf(accountId)).transactions;
const send = (page: Page) => page.getByRole("button", { name: "Gerar cobrança" }).click();
const expectDeposit = (page: Page) =>
  expect(page.getByRole("img", { name: /QR code Pix de R\$\s132,00/ })).toBeVisible();

async function typeDeposit(page: Page) {
  await page.goto("/charges/new");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Valor").fill("132,00");
  await page.getByLabel("Descrição").fill("Assinatura da revista");
}

async function expectTyped(page: Page) {
  await expect(page.getByLabel("Valor")).toHaveValue("132,00");
  await expect(page.getByLabel("Descrição")).toHaveValue("Assinatura da revista");
}

const personOf = ({ accountId }: Made) =>
  prisma().membership.findFirstOrThrow({ where: { OR: [{ accountId }, { sandboxId: accountId }] } });

/** Gives the seller's person a password, and ends the session that the page has. */
async function endSession(seller: Seller) {
  const { userId } = await personOf(seller);
  await prisma().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(PASSWORD) } });
  await prisma().session.updateMany({ where: { userId }, data: { revokedAt: new Date() } });
}

/** The Idempotency-Keys of the requests that the page sends to a path. */
function keysOf(page: Page, path: string) {
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith(path)) keys.push(request.headers()["idempotency-key"]);
  });
  return keys;
}

/** Lets the next request to `url` reach the server, and loses its answer. */
const loseAnswer = (page: Page, url: string) =>
  page.route(
    url,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

test.describe("a session that ended", () => {
  const signInAgain = (page: Page) => page.getByRole("dialog", { name: "Sua sessão terminou" });

  test("a write offers sign-in in place, keeps what was typed, and is sent again only by a click", async ({
    page,
    seller,
  }) => {
    await typeDeposit(page);
    await endSession(seller);
    await send(page);
    const dialog = signInAgain(page);
    await expect(dialog).toContainText(`${seller.account.name} · Ambiente de testes`);
    await expect(dialog.getByLabel("Senha")).toBeFocused();
    await page.keyboard.press("Escape");
    await dialog.getByLabel("Senha").fill("outra senha qualquer");
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("E-mail ou senha não conferem")).toBeVisible();
    await photograph(page, "session-ended", "error");

    await dialog.getByLabel("Senha").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Você entrou de novo").first()).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Gerar cobrança" })).toBeFocused();
    await expectTyped(page);
    expect(await salesOf(seller), "nothing is sent by itself").toBe(0);
    await page.keyboard.press("Enter");
    await expectDeposit(page);
    expect(await salesOf(seller)).toBe(1);
  });

  test("a sign-in without an answer keeps the page and offers another", async ({ page, context, seller }) => {
    await typeDeposit(page);
    await endSession(seller);
    await send(page);
    await signInAgain(page).getByLabel("Senha").fill(PASSWORD);
    await context.setOffline(true);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Não foi possível entrar agora")).toBeVisible();
    await context.setOffline(false);
    await page.keyboard.press("Enter");
    await expect(signInAgain(page)).toBeHidden();
    await expectTyped(page);
  });

  test("the write goes to the account of the page or to none, whoever signs in meanwhile", async ({
    page,
    context,
    seller,
  }) => {
    await typeDeposit(page);
    await endSession(seller);
    await send(page);
    await expect(signInAgain(page)).toBeVisible(); // the write was refused before the other person signs in
    const other = await makeAccount();
    await context.addCookies([await sessionCookie(other.accountId)]);
    await signInAgain(page).getByLabel("Senha").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(signInAgain(page)).toBeHidden();
    await context.addCookies([await sessionCookie(other.accountId)]);
    await send(page);
    await expect(page.getByRole("alertdialog", { name: "Esta página é de outra conta" })).toBeVisible();
    await expectTyped(page);
    expect([await salesOf(seller), await salesOf(other)]).toEqual([0, 0]);
  });

  test("a page that reads by itself offers sign-in in place, and goes on after it", async ({ page, seller }) => {
    const { identifier } = await deposit(seller);
    await page.goto(`/${seller.accountId}/charges/${identifier}`);
    await endSession(seller);
    await signInAgain(page).getByLabel("Senha").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(signInAgain(page)).toBeHidden();
    await page.getByRole("button", { name: "Simular pagamento" }).click();
    await expect(page.getByRole("heading", { name: "Cobrança paga" })).toBeVisible();
  });
});

test.describe("an answer that does not arrive", () => {
  test("a write made offline reports that nothing was sent, and is never sent later by itself", async ({
    page,
    context,
    seller,
  }) => {
    await typeDeposit(page);
    const keys = keysOf(page, "/cash-in");
    await context.setOffline(true);
    await send(page);
    await expect(page.getByText("Você está sem conexão, e nada foi enviado")).toBeVisible();
    await photograph(page, "offline", "error");
    await context.setOffline(false);
    await page.waitForFunction(() => navigator.onLine);
    await page.evaluate(() => fetch("/api/auth/csrf")); // what waited for the connection would have left before this
    expect(await salesOf(seller)).toBe(0);
    await expectTyped(page);
    await send(page);
    await expectDeposit(page);
    expect(await salesOf(seller)).toBe(1);
    expect(new Set(keys).size).toBe(1);
  });

  test("a form whose answer was lost reports an unknown outcome, and sending it again does nothing twice", async ({
    page,
    seller,
  }) => {
    await typeDeposit(page);
    const keys = keysOf(page, "/cash-in");
    await loseAnswer(page, CASH_IN);
    await send(page);
    await expect(page.getByText("não sabemos se isto foi feito")).toBeVisible();
    expect(await salesOf(seller)).toBe(1);
    await send(page);
    await expectDeposit(page);
    expect(await salesOf(seller)).toBe(1);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("a form that is changed after a lost answer is another write", async ({ page, seller }) => {
    await typeDeposit(page);
    const keys = keysOf(page, "/cash-in");
    await loseAnswer(page, CASH_IN);
    await send(page);
    await expect(page.getByText("não sabemos se isto foi feito")).toBeVisible();
    await page.getByLabel("Descrição").fill("Outra revista");
    await send(page);
    await expectDeposit(page);
    expect(await salesOf(seller)).toBe(2);
    expect(new Set(keys).size).toBe(2);
  });

  test("a button whose answer was lost shows a notice until it is closed, and a second click does nothing twice", async ({
    page,
    seller,
  }) => {
    await page.goto(`/${seller.accountId}/public-key`);
    const keys = keysOf(page, "/regenerate");
    await loseAnswer(page, "**/public-key/regenerate");
    const regenerate = async () => {
      await page.getByRole("button", { name: "Gerar nova chave" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Gerar nova chave" }).click();
    };
    await regenerate();
    const notice = page.getByRole("listitem").filter({ hasText: "não sabemos se isto foi feito" });
    await expect(notice).toBeVisible();
    await photograph(page, "outcome-unknown", "error");
    await page.keyboard.press("F8");
    await page.keyboard.press("Tab");
    await expect(notice).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(notice).toBeHidden();
    await regenerate();
    await expect(page.getByText("Nova chave gerada").first()).toBeVisible();
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("a call ends after 30 seconds, and the form can be sent again", async ({ page, seller }) => {
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms === 30_000 ? 1_000 : ms);
    });
    await typeDeposit(page);
    await page.route(CASH_IN, () => {}, { times: 1 });
    await send(page);
    await expect(page.getByText("não sabemos se isto foi feito")).toBeVisible();
    await send(page);
    await expectDeposit(page);
    expect(await salesOf(seller)).toBe(1);
  });

  test("a read made offline shows a notice, offers to try again, and repeats by itself once online", async ({
    page,
    context,
    seller,
  }) => {
    const body = { title: "Loja", url: "https://example.com/hooks", event: "transaction", trigger_all_products: true };
    const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
    await page.goto(`/${seller.accountId}/webhooks/${id}`);
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.getByLabel("Situação das entregas").selectOption("Entregue");
    await expect(page.getByText("Sem resposta do servidor")).toBeVisible();
    await page.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(page.getByText("Sem resposta do servidor")).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText("Nenhuma entrega nesta situação")).toBeVisible();
  });

  test("a failure is shown even if the toast component cannot be loaded", async ({ page, seller }) => {
    await page.goto(`/${seller.accountId}/public-key`);
    await page.getByRole("button", { name: "Gerar nova chave" }).click();
    await page.route("**/public-key/regenerate", (route) => route.abort());
    await page.route(CHUNKS, (route) => route.abort());
    await page.getByRole("alertdialog").getByRole("button", { name: "Gerar nova chave" }).click();
    await expect(page.getByRole("status").filter({ hasText: "não sabemos se isto foi feito" })).toBeVisible();
  });

  test("a sign-out without an answer is not shown as done", async ({ page, context, seller }) => {
    await page.goto(`/${seller.accountId}/home`);
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.getByRole("button", { name: /preferências e sair/ }).click();
    await page.getByText("Sair", { exact: true }).click();
    await expect(page.getByText("Não foi possível sair").first()).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
  });
});

test.describe("many pages in a short time", () => {
  test("thirty loads in a row by one session show thirty pages", async ({ page, seller }) => {
    for (let load = 1; load <= 30; load += 1) {
      await page.goto(`/${seller.accountId}/${load % 2 ? "home" : "transactions"}`);
      await expect(page.locator("#content h1"), `load ${load}`).toBeVisible();
    }
  });

  for (const way of ["an address", "a link"]) {
    test(`who opens too many by ${way} sees a page that waits and goes on by itself`, async ({ page, seller }) => {
      await page.goto(`/${seller.accountId}/home`);
      await page.waitForLoadState("networkidle");
      await useUpPages(seller, way === "an address" ? 20 : 4);
      if (way === "an address") await page.goto(`/${seller.accountId}/transactions`);
      else await page.getByRole("navigation").getByRole("link", { name: "Catálogo" }).click();
      await expect(page.getByRole("heading", { name: "Muitas ações em pouco tempo" })).toBeVisible();
      if (way === "an address") await photograph(page, "waiting", "error");
      await expect(page.locator("#content h1")).toBeVisible({ timeout: 30_000 });
    });
  }

  test("a read that is refused for too many says so, waits as long as it is told, and goes on by itself", async ({
    page,
    seller,
  }) => {
    const body = { title: "Loja", url: "https://example.com/hooks", event: "transaction", trigger_all_products: true };
    const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
    await page.goto(`/${seller.accountId}/webhooks/${id}`);
    await page.waitForLoadState("networkidle");
    const refused = { status: 429, headers: { "retry-after": "1" }, json: { error: "rate_limit_exceeded" } };
    await page.route("**/deliveries?**", (route) => route.fulfill(refused), { times: 2 });
    await page.getByLabel("Situação das entregas").selectOption("Entregue");
    await expect(page.getByText("A página continua sozinha em instantes").first()).toBeVisible();
    await expect(page.getByText("Nenhuma entrega nesta situação")).toBeVisible();
  });
});

/** Uses up the pages that a seller's sessions may open, for about so many seconds. */
async function useUpPages(seller: Seller, seconds: number) {
  const { userId } = await personOf(seller);
  for (const { id } of await prisma().session.findMany({ where: { userId } })) {
    await prisma().$executeRaw`
      insert into rate_limits (key, second, taken)
      values (${`page-session:${id}`}, floor(extract(epoch from clock_timestamp())) - 61 + ${seconds}::int, 600)
      on conflict (key) do update set second = excluded.second, taken = excluded.taken, earlier = 0, hits = '{}'`;
  }
}

test.describe("a piece of a page that cannot be loaded", () => {
  test("a window reports it, keeps the page, and opens at the next attempt", async ({ page, seller }) => {
    await page.goto(`/${seller.accountId}/webhooks`);
    await page.waitForLoadState("networkidle");
    const opener = page.getByRole("button", { name: "Novo webhook" });
    const missing = page.getByRole("dialog", { name: "Esta parte da página não veio" });
    await page.route(CHUNKS, (route) => route.abort());
    await opener.click();
    await expect(missing).toBeVisible();
    await photograph(page, "not-loaded", "error");
    await missing.getByRole("button", { name: "Fechar" }).click();
    await expect(missing).toBeHidden();
    await expect(opener).toBeFocused();

    await page.unroute(CHUNKS);
    await page.route(CHUNKS, (route) => route.fulfill({ status: 404 })); // as after a new version
    await opener.click();
    await expect(missing).toBeVisible();
    await missing.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(missing).toBeVisible();
    await page.unroute(CHUNKS);
    await missing.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(page.getByLabel("Nome")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
  });

  test("the window for a new sign-in reports it too, and what was typed stays", async ({ page, seller }) => {
    await typeDeposit(page);
    await endSession(seller);
    await page.route(CHUNKS, (route) => route.abort());
    await send(page);
    const missing = page.getByRole("dialog", { name: "Esta parte da página não veio" });
    await expect(missing).toBeVisible();
    await page.unroute(CHUNKS);
    await missing.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(page.getByLabel("Senha")).toBeFocused();
    await expectTyped(page);
  });
});

test.describe("another page that cannot be loaded", () => {
  const toWebhooks = (page: Page) => page.getByRole("navigation").getByRole("link", { name: "Webhooks" });

  test("offline a link shows a notice and keeps the page with what was typed", async ({ page, context, seller }) => {
    await typeDeposit(page);
    expect(seller.accountId).toBeTruthy();
    await context.setOffline(true);
    await toWebhooks(page).click();
    await expect(page.getByText("Sem resposta do servidor").first()).toBeVisible();
    await expectTyped(page);
    await context.setOffline(false);
    await toWebhooks(page).click();
    await expect(page).toHaveURL(/\/webhooks$/);
  });

  test("a page whose pieces cannot be loaded reports it, and is shown at the next attempt", async ({
    page,
    seller,
  }) => {
    await page.goto(`/${seller.accountId}/home`);
    await page.waitForLoadState("networkidle");
    await page.route(CHUNKS, (route) => route.fulfill({ status: 404 })); // as after a new version
    await toWebhooks(page).click();
    await expect(page.getByRole("heading", { name: "Esta página não abriu" })).toBeVisible();
    await expect(page.getByText("Sem resposta do servidor")).toBeVisible();
    await page.unroute(CHUNKS);
    await page.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  });
});

test.describe("the focus", () => {
  test("enters the first field of a window and returns to the element that opened it", async ({ page, seller }) => {
    await page.goto(`/${seller.accountId}/credentials`);
    const opener = page.getByRole("button", { name: "Nova credencial" }).first();
    await opener.focus();
    for (const _ of ["downloaded now", "known"]) {
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog").getByLabel("Nome")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(opener).toBeFocused();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Nome").fill("ERP");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Já guardei" }).click();
    await expect(opener).toBeFocused();
  });

  test("returns from the palette to the field that had it", async ({ page, seller }) => {
    await typeDeposit(page);
    expect(seller.accountId).toBeTruthy();
    for (const _ of ["downloaded now", "known"]) {
      await page.keyboard.press("Control+k");
      await expect(page.getByPlaceholder("Página, ou o que procurar")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByLabel("Descrição")).toBeFocused();
    }
  });

  test("returns from a confirmation to its button, or to the content if the button is gone", async ({
    page,
    seller,
  }) => {
    const origin = "https://loja.example.com";
    await seller.api("POST", "/api/partner/v1/public-key/domains", { origin });
    await page.goto(`/${seller.accountId}/public-key`);
    const opener = page.getByRole("button", { name: `Remover ${origin}` });
    await opener.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar" }).click();
    await expect(opener).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remover domínio" }).click();
    await expect(opener).toBeHidden();
    await expect(page.locator("#content")).toBeFocused();
  });

  test("returns from the menu of a phone to its button", async ({ page, seller }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/${seller.accountId}/home`);
    const opener = page.getByRole("button", { name: "Abrir o menu" });
    await opener.click();
    await page.getByRole("button", { name: "Fechar o menu" }).click();
    await expect(opener).toBeFocused();
  });
});
