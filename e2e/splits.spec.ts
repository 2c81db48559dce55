import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import { money } from "@/components/format";
import { newId } from "@/lib/ids";
import { feeOf, sharesOf } from "@/lib/money";
import { secretOfInvite } from "@/lib/testing/mails";
import {
  content,
  expect,
  liveAccountOf,
  mailedLink,
  makeSeller,
  type Page,
  paidDeposit,
  sessionCookie,
  test,
} from "./fixtures";
import { violationsIn } from "./pictures";
import { accept, earn, invite, invitedBy, plan, product } from "./splits";
import { see } from "./visits";

/** The page without what streams in, which stands elsewhere too for a moment. */

async function makePlan(
  page: Page,
  [name, amount, days]: readonly [string, string, string],
  invited?: [string, string],
) {
  await page.getByRole("button", { name: "Novo plano" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nome").fill(name);
  await dialog.getByLabel("Valor de cada cobrança").fill(amount);
  await dialog.getByLabel("Período").selectOption(days);
  if (invited) {
    await dialog.getByRole("button", { name: "Adicionar repasse" }).click();
    await dialog.getByLabel("E-mail").fill(invited[0]);
    await dialog.getByLabel("Percentual").fill(invited[1]);
    await expect(dialog.getByRole("row", { name: /Você recebe/ })).toBeVisible();
  }
  await dialog.getByRole("button", { name: "Criar plano" }).click();
  await dialog.getByRole("button", { name: "Concluir" }).click();
  await expect(dialog).toHaveCount(0);
}

async function signUp(page: Page, email: string) {
  await page.getByLabel("Nome da empresa").fill("Bento Logística");
  await page.getByLabel("CNPJ ou CPF").fill(generateCnpj());
  await page.getByLabel("Seu nome").fill("Bento Reis");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill("chuva miúda no telhado");
  await page.getByRole("button", { name: "Criar conta" }).click();
}

test("a plan is made with a split, the invited person signs up by the mail's link, accepts, and a paid sale is shared to the cent", async ({
  page,
  context,
  seller,
}) => {
  const email = `${newId()}@example.com`;
  await page.goto("/products");
  await page.getByRole("button", { name: "Novo produto" }).click();
  await page.getByLabel("Nome").fill("Clube do livro");
  await page.getByRole("button", { name: "Criar produto" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Clube do livro" })).toBeVisible();
  await makePlan(page, ["Anual", "49900", "365"]);
  await makePlan(page, ["Mensal", "9990", "30"], [email, "12,35"]);
  await expect(page.getByText("12,35% em 1 repasse")).toBeVisible();
  const productId = page.url().split("/").at(-1);
  type Plans = { data: { name: string; token: string }[] };
  const { data: plans } = await seller.api<Plans>("GET", `/api/partner/v1/products/${productId}/subscription-plans`);
  const token = plans.find(({ name }) => name === "Mensal")?.token;
  const { data: sent } = await seller.api<{ data: { id: number }[] }>("GET", "/api/partner/v1/subscription-splits");
  const secret = await secretOfInvite(sent[0]?.id ?? 0);

  await context.clearCookies();
  await page.goto(`/invite/${secret}`);
  await page.getByRole("link", { name: "Criar conta" }).click();
  await signUp(page, email);
  await expect(page).toHaveURL(new RegExp(`/invite/${secret}$`));
  await expect(page.getByText("R$ 12,34").first()).toBeVisible(); // 12.35% of 99.90, before fees
  await page.getByRole("button", { name: "Aceitar repasse" }).click();
  // What was accepted has the focus in place of its button.
  await expect(page.locator(":focus")).toContainText("Repasse aceito");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Ver repasses" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Aceitos" })).toBeVisible();

  await paidDeposit(seller, { amount: 99.9, plan_token: token });
  const net = 9_990 - feeOf(9_990, seller.account.fees.pix);
  const share = money(sharesOf(net, [1_235])[0] ?? 0);
  const earned = page.locator("tbody tr", { hasText: "Mensal" });
  await expect(async () => {
    await page.goto("/splits/earnings");
    await expect(earned).toContainText(share, { timeout: 1_000 });
  }).toPass();
  await earned.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/splits/earnings/sales\\?month=.*&plan=${token}$`));
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page.locator("tbody tr")).toContainText(share);
});

test("an invite leads a visitor to sign in and back, or to sign up with it", async ({ page, context, seller }) => {
  const secret = await secretOfInvite((await invitedBy(seller)).id);
  await context.clearCookies();
  await page.goto(`/invite/${secret}`);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(`/invite/${secret}`)}`);
  await expect(page.getByRole("link", { name: "Criar conta" })).toHaveAttribute("href", `/sign-up?invite=${secret}`);
  await context.addCookies([await sessionCookie(seller.accountId)]);
  await page.goto(`/invite/${secret}`);
  await expect(page).toHaveURL(`/${seller.accountId}/invite/${secret}`);
  await expect(page.getByRole("button", { name: "Aceitar repasse" })).toBeVisible();
});

for (const width of [360, 1280]) {
  test(`an invited person without an account sees the invitation at sign-in and sign-up, e-mail filled in, at ${width} px`, async ({
    page,
    context,
    seller,
  }) => {
    const { data } = await plan(seller, await product(seller));
    const email = `${newId()}@example.com`;
    const secret = await secretOfInvite(await invite(seller, data.token, email, "12.50"));
    await context.clearCookies();
    await page.setViewportSize({ width, height: 800 });
    const card = page.getByRole("region", { name: "Convite de repasse" });
    const expectCard = async () => {
      await expect(card).toContainText(`${seller.account.name} convida você a receber uma parte das vendas`);
      await expect(card).toContainText(
        /De cada cobrança de R\$\s49,90 do plano Mensal você recebe 12,5%: até R\$\s6,24/,
      );
      await expect(page.getByLabel("E-mail")).toHaveValue(email);
      expect(await violationsIn(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    };
    await page.goto(`/invite/${secret}`);
    await expectCard();
    await page.getByRole("link", { name: "Criar conta" }).click();
    await expect(page).toHaveURL(/\/sign-up/);
    await expectCard();
    await page.getByLabel("Nome da empresa").fill("Bento Logística");
    await page.getByLabel("CNPJ ou CPF").fill(generateCnpj());
    await page.getByLabel("Seu nome").fill("Bento Reis");
    await page.getByLabel("Senha").fill("chuva miúda no telhado");
    await page.getByRole("button", { name: "Criar conta" }).click();
    await expect(page).toHaveURL(new RegExp(`/invite/${secret}$`));
    await expect(page.getByRole("button", { name: "Aceitar repasse" })).toBeVisible();
  });
}

test("the mail of an accepted split leads to the seller's sent splits, also when another account was open", async ({
  page,
  seller,
}) => {
  const guest = await makeSeller();
  const { data } = await plan(seller, await product(seller));
  await accept(guest, await invite(seller, data.token, guest.email, "10"));
  await page.goto(`/${await liveAccountOf(seller)}/home`);
  await page.goto(await mailedLink(seller.email, "split_accepted"));
  await expect(page).toHaveURL(`/${seller.accountId}/splits/sent`);
  await expect(content(page).getByText(guest.account.name).first()).toBeVisible();
});

test("an invite that is opened in the account's other mode says so and leads to the one where it can be accepted", async ({
  page,
  seller,
}) => {
  const secret = await secretOfInvite((await invitedBy(seller)).id);
  await page.goto(`/${await liveAccountOf(seller)}/invite/${secret}`);
  await expect(page.getByRole("heading", { name: "Este convite não abre nesta conta" })).toBeVisible();
  await page.getByRole("link", { name: "Abrir no ambiente de testes" }).click();
  await expect(page).toHaveURL(`/${seller.accountId}/invite/${secret}`);
  await expect(page.getByRole("button", { name: "Aceitar repasse" })).toBeVisible();
});

test("a received invite is accepted from its dialog with the terms, and a sent one is cancelled", async ({
  page,
  context,
  seller,
}) => {
  const { other } = await invitedBy(seller);
  await see(page, "/splits");
  await expect(content(page).getByText(/De cada cobrança de R\$\s49,90 você recebe até R\$\s6,24/)).toBeVisible();
  await content(page)
    .getByRole("button", { name: /^Aceitar/ })
    .click();
  await expect(page.getByRole("alertdialog")).toContainText("nunca para as anteriores");
  await page.getByRole("alertdialog").getByRole("button", { name: "Aceitar repasse" }).click();
  await expect(page.getByRole("heading", { name: "Aceitos" })).toBeVisible();

  await context.clearCookies();
  await context.addCookies([await sessionCookie(other.accountId)]);
  await see(page, "/splits/sent");
  await content(page)
    .getByRole("button", { name: /^Cancelar o repasse/ })
    .click();
  await expect(page.getByRole("alertdialog")).toContainText("não são mais divididas");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar repasse" }).click();
  await expect(page.getByRole("listitem").getByText("Cancelado", { exact: true })).toBeVisible();
  await page.getByLabel("Situação dos repasses").selectOption("pending");
  await expect(page.getByText("Nenhum repasse nesta situação.")).toBeVisible();
});

test("the sales of earnings are filtered by the address, and the filters can be cleared", async ({ page, seller }) => {
  const token = await earn(seller, [49.9]);
  await earn(seller, [132]);
  await page.goto(`/splits/earnings/sales?plan=${token}`);
  await expect(content(page).locator("tbody tr")).toHaveCount(1);
  await content(page).getByRole("link", { name: "Limpar filtros" }).click();
  await expect(content(page).locator("tbody tr")).toHaveCount(2);
  await content(page).getByLabel("Plano").selectOption(token);
  await expect(page).toHaveURL(new RegExp(`\\?plan=${token}$`));
  await expect(content(page).locator("tbody tr")).toHaveCount(1);
});

test("a plan's splits are shown live after the fee, and a fault is at its own field", async ({ page, seller }) => {
  await see(page, `/products/${await product(seller)}`);
  await page.getByRole("button", { name: "Novo plano" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nome").fill("Mensal");
  await dialog.getByLabel("Valor de cada cobrança").fill("10000");
  const net = 10_000 - feeOf(10_000, seller.account.fees.pix);
  const [bento = 0, ana = 0] = sharesOf(net, [3_000, 1_235]);
  for (const [place, email, percentage] of [
    [0, "bento@example.com", "30"],
    [1, "ana@example", "12,35"],
  ] as const) {
    await dialog.getByRole("button", { name: "Adicionar repasse" }).click();
    await expect(dialog.getByLabel("E-mail").nth(place)).toBeFocused();
    await dialog.getByLabel("E-mail").nth(place).fill(email);
    await dialog.getByLabel("Percentual").nth(place).fill(percentage);
  }
  for (const [row, amount] of [
    ["bento@example.com recebe 30%", -bento],
    ["ana@example recebe 12,35%", -ana],
    ["Você recebe", net - bento - ana],
  ] as const) {
    await expect(dialog.getByRole("row", { name: row })).toContainText(money(amount));
  }
  await dialog.getByRole("button", { name: "Criar plano" }).click();
  await expect(dialog.getByText("Informe um e-mail.")).toHaveCount(1);
  await expect(dialog.getByLabel("E-mail").nth(1)).toBeFocused();
  await dialog.getByRole("button", { name: "Remover repasse 2" }).click();
  await expect(dialog.getByRole("button", { name: "Adicionar repasse" })).toBeFocused();
  await dialog.getByRole("button", { name: "Criar plano" }).click();
  await dialog.getByRole("button", { name: "Concluir" }).click();
  await expect(page.getByText("30% em 1 repasse")).toBeVisible();

  await page.getByRole("button", { name: "Repasses de Mensal" }).click();
  await dialog.getByLabel("E-mail").fill("ana@example.com");
  await dialog.getByLabel("Percentual").fill("10");
  await dialog.getByRole("button", { name: "Enviar convite" }).click();
  await expect(dialog.getByText("10% · ana@example.com")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancelar o repasse de bento@example.com" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancelar repasse" }).click();
  await expect(dialog.getByText("30% · bento@example.com")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Fechar" }).click();
  await expect(page.getByText("10% em 1 repasse")).toBeVisible();
});

test("plans are dragged to another place, and moved by keys on the handle; the order is kept and announced", async ({
  page,
  seller,
}) => {
  const id = await product(seller);
  for (const name of ["Um", "Dois", "Três"]) await plan(seller, id, { name });
  let saves = 0;
  page.on("response", (response) => {
    if (response.url().endsWith("/subscription-plans/order")) saves += 1;
  });
  await see(page, `/products/${id}`);
  const names = () => page.getByRole("main").locator("li .font-semibold").allTextContents();
  const handle = (name: string) => page.getByRole("button", { name: `Mudar a posição de ${name}` });
  await expect.poll(names).toEqual(["Um", "Dois", "Três"]);
  const [from, to] = [await handle("Três").boundingBox(), await handle("Um").boundingBox()];
  if (!from || !to) throw new Error("no handle is shown");
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 20, { steps: 4 });
  await page.mouse.move(to.x + 8, to.y - 4, { steps: 8 });
  await page.mouse.up();
  await expect.poll(names).toEqual(["Três", "Um", "Dois"]);
  await expect(page.getByText("Três está na posição 1 de 3")).toHaveCount(1);

  await handle("Três").focus();
  await handle("Três").evaluate((button) => {
    for (let press = 0; press < 2; press += 1) {
      button.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
    }
  });
  await expect.poll(names).toEqual(["Um", "Dois", "Três"]);
  await expect(handle("Três")).toBeFocused();
  await expect.poll(() => saves, "the last order is the first one, too").toBe(3);
  type Plans = { data: { name: string }[] };
  const saved = () => seller.api<Plans>("GET", `/api/partner/v1/products/${id}/subscription-plans`);
  await expect.poll(async () => (await saved()).data.map(({ name }) => name)).toEqual(["Um", "Dois", "Três"]);
  await page.reload();
  await page.waitForLoadState("networkidle");
  await expect.poll(names).toEqual(["Um", "Dois", "Três"]);

  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y - 4, { steps: 8 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await names()).toEqual(["Um", "Dois", "Três"]);
});

test("a plan lies where it is let go, also where its last move is not drawn yet", async ({ page, seller }) => {
  const id = await product(seller);
  for (const name of ["Um", "Dois", "Três"]) await plan(seller, id, { name });
  await see(page, `/products/${id}`);
  const handle = page.getByRole("button", { name: "Mudar a posição de Três" });
  const first = await page.getByRole("button", { name: "Mudar a posição de Um" }).boundingBox();
  await handle.hover();
  await page.mouse.down();
  await handle.evaluate((button, clientY) => {
    for (const type of ["pointermove", "pointerup"]) {
      button.dispatchEvent(new PointerEvent(type, { bubbles: true, clientY }));
    }
  }, first?.y ?? 0);
  await page.mouse.up();
  const names = () => page.getByRole("main").locator("li .font-semibold").allTextContents();
  await expect.poll(names).toEqual(["Três", "Um", "Dois"]);
});

test("a list with numbered pages is paged in both directions, and its page is in the address", async ({
  page,
  seller,
}) => {
  const productId = await product(seller);
  for (const name of ["um", "dois", "tres"]) {
    const { data } = await plan(seller, productId, { name });
    for (let n = 1; n <= 17; n += 1) await invite(seller, data.token, `${name}-${n}@exemplo.com.br`, "1");
  }
  await see(page, "/splits/sent");
  const rows = content(page).getByRole("listitem").filter({ hasText: "Sem resposta" });
  await expect(rows).toHaveCount(50);
  await expect(page.getByRole("button", { name: "Anterior" })).toBeDisabled();
  await page.getByRole("button", { name: "Próxima" }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByRole("button", { name: "Próxima" })).toBeDisabled();
  await page.getByRole("button", { name: "Anterior" }).click();
  await expect(rows).toHaveCount(50);
  await expect(page).not.toHaveURL(/page/);
});

test("products are filtered by their status, in the address", async ({ page, seller }) => {
  await product(seller, { name: "Clube do livro" });
  const gone = await product(seller, { name: "Café da serra" });
  await seller.api("DELETE", `/api/partner/v1/products/${gone}`);
  await page.goto("/products");
  await expect(content(page).getByText("Clube do livro")).toBeVisible();
  await expect(content(page).getByText("Café da serra")).toHaveCount(0);
  await content(page).getByLabel("Situação dos produtos").selectOption("archived");
  await expect(content(page).getByText("Café da serra")).toBeVisible();
  await expect(page).toHaveURL(/\?status=archived$/);
});
