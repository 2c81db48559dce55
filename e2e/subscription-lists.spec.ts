import { nowOf } from "@/lib/testing/subscriptions";
import { businessNow } from "@/lib/time/clock";
import { expect, type Page, test } from "./fixtures";
import { advanceDays, enroll, everyStatus, planToken, subscribed } from "./subscriptions";

const rowsIn = (page: Page) => page.getByRole("table").getByRole("row");

test("the list of subscriptions narrows by status, plan and search, and the address keeps it", async ({
  page,
  seller,
}) => {
  const [one, other] = [await planToken(seller), await planToken(seller, { name: "Anual", amount: "499.00" })];
  await subscribed(seller, one);
  await enroll(seller, one, { name: "Bento Nogueira", email: "bento@example.com", document: "168.995.350-09" });
  await enroll(seller, other, { name: "Clara Lima", email: "clara@example.com", document: "111.444.777-35" });
  await page.goto("/subscriptions");
  await expect(rowsIn(page)).toHaveCount(4);
  await expect(page.getByRole("link", { name: "Todas 3" })).toBeVisible();

  await page.getByRole("link", { name: "Aguardando 2" }).click();
  await expect(rowsIn(page)).toHaveCount(3);
  await page.getByRole("combobox", { name: "Plano" }).selectOption({ label: "Clube do livro · Anual" });
  await expect(rowsIn(page)).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Clara Lima" })).toBeVisible();
  await page.reload();
  await expect(rowsIn(page)).toHaveCount(2);

  await page.getByRole("link", { name: "Limpar filtros" }).click();
  await expect(rowsIn(page)).toHaveCount(3);
  await page.getByRole("searchbox").fill("bento@example.com");
  await expect(rowsIn(page)).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Bento Nogueira" })).toHaveAttribute("href", /\/subscriptions\/[\w-]+$/);
});

test("a filter chosen before the page's script has run counts", async ({ page, seller }) => {
  const token = await planToken(seller);
  await enroll(seller, token, { name: "Bento Nogueira", email: "bento@example.com", document: "168.995.350-09" });
  await enroll(seller, token, { name: "Clara Lima", email: "clara@example.com" });
  let run = () => {};
  const held = new Promise<void>((resolve) => {
    run = resolve;
  });
  await page.route(/\.js(\?|$)/, (route) => held.then(() => route.continue()));
  await page.goto("/subscriptions", { waitUntil: "commit" });
  await page.getByRole("searchbox").fill("clara@example.com");
  await page.getByLabel("Plano").selectOption({ label: "Clube do livro · Mensal" });
  await expect(rowsIn(page)).toHaveCount(3);
  run();
  await expect(page).toHaveURL(new RegExp(`plan=${token}`));
  await expect(page).toHaveURL(/search=clara/);
  await expect(rowsIn(page)).toHaveCount(2);
});

test("a plan's number of active subscriptions leads to them", async ({ page, seller }) => {
  const token = await planToken(seller);
  await subscribed(seller, token);
  await enroll(seller, token, { name: "Bento Nogueira" });
  await page.goto("/products");
  await page.getByRole("link", { name: "Clube do livro" }).click();
  await page.getByRole("link", { name: "1 assinatura ativa" }).click();
  await expect(page).toHaveURL(new RegExp(`/subscriptions\\?plan=${token}&status=active$`));
  await expect(page.getByRole("link", { name: "Zélia Prado" })).toBeVisible();
  await expect(rowsIn(page)).toHaveCount(2);
});

test("the overdue ladder lists who owes, the longest overdue first, with what comes next, and one click sends a new code", async ({
  page,
  seller,
}) => {
  const { overdue } = await everyStatus(seller);
  const codeOf = async () => {
    const path = `/api/partner/v1/subscriptions/${overdue}/charges`;
    return (await seller.api<Charges>("GET", path)).data[0]?.payment.identifier;
  };
  const before = await codeOf();
  await page.goto("/subscriptions/overdue");
  await expect(page.getByRole("link", { name: "Todas 2" })).toBeVisible();
  const names = page.getByRole("listitem").getByRole("heading");
  await expect(names).toHaveText([/^Bento Nogueira/, "Clara Lima"]);
  const bento = page.getByRole("listitem").filter({ hasText: "Bento" });
  await expect(bento).toContainText("R$ 49,90");
  await expect(bento).toContainText(/Próximo passo: (Código novo|Lembrete) por e-mail/);
  await expect(bento).toContainText(/ · já cobrada de novo \d+ vez(es)?Em atrasodesde \d+ \w+/);

  await page.getByRole("button", { name: /^Reenviar a cobrança de Bento/ }).click();
  await expect(page.getByText(/^Cobrança reenviada a Bento/).first()).toBeVisible();
  expect(await codeOf()).not.toBe(before);

  await page.getByRole("link", { name: "Suspensas 1" }).click();
  await expect(names).toHaveText(["Clara Lima"]);
});

test("as many are suspended in the list of all as in the overdue ladder, and who is paused has a tab apart", async ({
  page,
  seller,
}) => {
  await everyStatus(seller);
  await page.goto("/subscriptions");
  await expect(page.getByRole("row", { name: /Bento/ })).toContainText("após o pagamento");
  await page.getByRole("link", { name: "Suspensas 1" }).click();
  await expect(rowsIn(page)).toHaveCount(2);
  await expect(page.getByRole("link", { name: /^Clara Lima/ })).toBeVisible();
  await page.getByRole("link", { name: "Pausadas 1" }).click();
  await expect(rowsIn(page)).toHaveCount(2);
  await expect(page.getByRole("link", { name: /^Davi Rocha/ })).toBeVisible();
  await page.goto("/subscriptions/overdue");
  await expect(page.getByRole("link", { name: "Suspensas 1" })).toBeVisible();
});

test("a person appears once, with the subscriptions to every plan and who is paused", async ({ page, seller }) => {
  const paused = await subscribed(seller, await planToken(seller));
  await seller.api("PATCH", `/api/partner/v1/subscriptions/${paused}/pause`, {});
  await enroll(seller, await planToken(seller, { name: "Anual" }));
  await enroll(seller, await planToken(seller), {
    name: "Bento Nogueira",
    email: "b@example.com",
    document: "11144477735",
  });
  await page.goto("/subscribers");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveCount(2);
  const theirs = page.getByRole("list", { name: "Assinaturas de Zélia Prado" });
  await expect(theirs.getByRole("link")).toHaveText(["Anual", "Mensal"]);
  await expect(theirs.getByRole("listitem").filter({ hasText: "Mensal" })).toContainText("Pausada");
  await page.getByRole("searchbox").fill("111.444.777-35");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(["Bento Nogueira"]);
});

test("the clock moves by days and to a day, and what was due on the way has happened", async ({ page, seller }) => {
  await subscribed(seller, await planToken(seller));
  await page.goto("/home");
  await page.getByRole("link", { name: "Avançar o relógio" }).click();
  await expect(page.getByText("Igual ao relógio de verdade.")).toBeVisible();
  await page.getByLabel("Dias").fill("31");
  await page.getByRole("button", { name: "Avançar o relógio" }).click();
  await expect(page.getByRole("heading", { name: "O relógio chegou a" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("31 dias à frente")).toBeVisible();
  await page.getByRole("link", { name: "Ver assinaturas" }).click();
  await expect(page.getByRole("link", { name: "Em atraso 1" })).toBeVisible();

  const day = new Date(businessNow((await nowOf(seller)).account).getTime() + 40 * 86_400_000).toISOString();
  await page.goto("/clock");
  await page.getByRole("combobox", { name: "Avançar" }).selectOption({ label: "Até uma data" });
  await page.getByLabel("Até o início do dia").fill(day.slice(0, 10));
  await page.getByRole("button", { name: "Avançar o relógio" }).click();
  await expect(page.getByRole("heading", { name: "O relógio chegou a" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("main").getByText(/^(70|71) dias à frente/)).toBeVisible();
});

test("an advance of the clock goes on when its page is closed, and the page shows where it came to", async ({
  page,
  seller,
}) => {
  test.slow();
  await subscribed(seller, await planToken(seller, { periodicity_days: 1, max_retry_attempts: 0 }));
  await page.goto("/clock");
  const sent = page.waitForRequest("**/sandbox/clock/advance");
  await page.getByRole("textbox", { name: "Dias" }).fill("365");
  await page.getByRole("button", { name: "Avançar o relógio" }).click();
  await sent;
  await page.goto("/home");
  await expect
    .poll(async () => businessNow((await nowOf(seller)).account) > new Date(Date.now() + 364.9 * 86_400_000), {
      timeout: 100_000,
    })
    .toBe(true);
  await page.goto("/clock");
  await expect(page.getByRole("main").getByText("365 dias à frente")).toBeVisible({ timeout: 20_000 });
});

test("the menu has recurring pages for who may see them, and the palette leads to the clock and to what is overdue", async ({
  page,
  seller,
}) => {
  await advanceDays(seller, 1);
  await page.goto("/home");
  for (const [name, title] of [
    ["Todas", "Assinaturas"],
    ["Assinantes", "Assinantes"],
  ] as const) {
    await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  }
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Página, ou o que procurar").fill("bento");
  await page.getByRole("option", { name: "Procurar “bento” nas assinaturas" }).click();
  await expect(page).toHaveURL(/\/subscriptions\?search=bento$/);
  for (const [text, url] of [
    ["em atraso", /\/subscriptions\/overdue$/],
    ["relógio", /\/clock$/],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Página, ou o que procurar").fill(text);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(url);
  }
  await expect(page.getByRole("link", { name: /^Relógio da conta: \d+ \w+ \d{4}, \d\d:\d\d$/ })).toBeVisible();
  await page.getByRole("button", { name: /trocar de ambiente/ }).click();
  await page.locator("[popover]:popover-open").getByText("Produção", { exact: true }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText("Ambiente de testes: nada aqui")).toBeHidden();
});

type Charges = { data: { payment: { identifier: string | null } }[] };
