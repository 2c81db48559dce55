import type { Change } from "@/browser/fields/talk";
import { env } from "@/lib/env";
import { expect, type Page, test } from "./fixtures";
import { fieldsIn, list, openShop, typeCard } from "./shop";

type Known = { isReady?: true; received: { origin: string; data: unknown }[]; changes: Change[]; failure?: object };

/** All that the shop's page received. */
const knownTo = (page: Page) =>
  page.evaluate(() => {
    const { isReady, received, changes, failure } = window as unknown as Known;
    return { isReady, received, changes, failure };
  });

const pay = (page: Page) => page.getByRole("button", { name: "Pagar" }).click();

/** What a page of this origin can read of the public route's answer. */
const fetchToken = (page: Page, key: string) =>
  page.evaluate(
    async ([url, key]) => {
      const card = { number: "4111111111111111", holder_name: "A", expiry_month: "12", expiry_year: "35", cvv: "123" };
      const headers = { "content-type": "application/json", "x-public-key": key as string };
      const sent = fetch(url as string, { method: "POST", headers, body: JSON.stringify({ card }) });
      return sent.then(async (answer) => ({ status: answer.status, body: await answer.json() })).catch(String);
    },
    [`${env.APP_URL}/api/public/v1/card-tokens`, key],
  );

test("a card typed into the fields in a shop of another site becomes a token there and a sale here", async ({
  page,
  seller,
}) => {
  const shop = await openShop(seller);
  await page.goto(shop.origin);
  await typeCard(page);
  await expect(fieldsIn(page).getByText("Visa")).toBeVisible();
  await expect(fieldsIn(page).getByLabel("Número do cartão")).toHaveValue("4111 1111 1111 1111");
  await expect(fieldsIn(page).getByLabel("Validade")).toHaveValue("12/35");
  await pay(page);
  await expect(page.getByText("Pago. Obrigado!")).toBeVisible();
  expect(shop.charge?.status).toBe("completed");
  const sale = await seller.api("GET", `/api/partner/v1/transaction/${shop.charge?.identifier}`);
  expect(sale).toMatchObject({ data: { status: "completed", amount: 132 } });

  const { isReady, received, changes } = await knownTo(page);
  expect(isReady).toBe(true);
  expect(changes.at(-1)).toEqual({ complete: true, brand: "visa", errors: {} });
  expect(new Set(received.map(({ origin }) => origin))).toEqual(new Set([env.APP_URL]));
  const known = `${await page.content()} ${JSON.stringify(received)} ${JSON.stringify(changes)}`;
  expect(known).toContain("card_token.");
  for (const secret of ["41111111", "4111 1111", "ZELIA", "12/35"]) expect(known).not.toContain(secret);
  expect(known, "the CVV, which a port or an id may hold by chance").not.toMatch(/\b737\b/);
  shop.close();
});

test("fields report faults by path with a text, and the shop's page gets nothing that was typed", async ({
  page,
  seller,
}) => {
  const shop = await openShop(seller, { options: { locale: "en" } });
  await page.goto(shop.origin);
  const fields = fieldsIn(page);
  await fields.getByLabel("Card number").pressSequentially("4111111111111112");
  await fields.getByLabel("Expiry").pressSequentially("1220");
  await page.getByRole("button", { name: "Pagar" }).hover();
  await page.mouse.down();
  await expect(fields.getByText("This card has expired.")).toBeVisible();
  await page.mouse.up(); // the fault has made the fields higher meanwhile
  const errors = {
    "card.number": "This number is not valid. Check the digits.",
    "card.holder_name": "Enter the name on the card.",
    "card.expiry_year": "This card has expired.",
    "card.cvv": "Enter the code.",
  };
  await expect(page.getByText("Check the card details.")).toBeVisible();
  await expect(fields.getByLabel("Card number")).toBeFocused();
  for (const text of new Set(Object.values(errors))) await expect(fields.getByText(text).first()).toBeVisible();
  const { failure, received, changes } = await knownTo(page);
  expect(failure).toEqual({ code: "invalid_card", message: "Check the card details.", errors });
  expect(changes.at(-1)).toEqual({ complete: false, brand: "visa", errors });
  expect(JSON.stringify(received)).not.toMatch(/4111|12\/20/);
  shop.close();
});

test("fields can be used by keyboard only, at 320 px, in the shop's own look", async ({ page, seller }) => {
  const shop = await openShop(seller, {
    options: { style: { fontSize: 18, radius: 0, accent: "#b3261e", x: "url(y)" } },
  });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(shop.origin);
  const fields = fieldsIn(page);
  await fields.getByLabel("Número do cartão").focus();
  for (const text of ["5555555555554444", "ANA PRADO", "0940", "321"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await expect(page.getByRole("button", { name: "Pagar" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Pago. Obrigado!")).toBeVisible();
  const number = fields.getByLabel("Número do cartão");
  await expect(number).toHaveCSS("font-size", "18px");
  await expect(number).toHaveCSS("border-radius", "0px");
  const [wide, room] = await fields
    .locator("html")
    .evaluate((html) => [html.scrollWidth, html.clientWidth, html.scrollHeight - html.clientHeight]);
  expect(wide).toBeLessThanOrEqual(room ?? 0);
  const frame = await page.locator("iframe").boundingBox();
  expect(frame?.height).toBeGreaterThanOrEqual(await fields.locator("main").evaluate((main) => main.clientHeight));
  shop.close();
});

test("fields that were open for long get a new page token before they send", async ({ page, seller }) => {
  await page.clock.install();
  const shop = await openShop(seller);
  await page.goto(shop.origin);
  await typeCard(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.clock.fastForward("12:00");
  await pay(page);
  await expect(page.getByText("Pago. Obrigado!")).toBeVisible();
  expect(asked).toEqual(["HEAD /fields", "POST /api/public/v1/card-tokens", "POST /pay"]);
  shop.close();
});

test("the shop's script ignores forged messages of its own page and of other frames", async ({ page, seller }) => {
  const shop = await openShop(seller);
  await page.goto(shop.origin);
  await expect(fieldsIn(page).getByLabel("Número do cartão")).toBeVisible();
  await page.evaluate(async () => {
    const lie = { repasse: "change", change: { complete: true, brand: "visa", errors: {} } };
    window.postMessage(lie, "*");
    const frame = document.createElement("iframe");
    frame.srcdoc = `<script>parent.postMessage(${JSON.stringify(lie)}, "*")</script>`;
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  const { received, changes } = await knownTo(page);
  expect(received.filter(({ origin }) => origin === shop.origin)).toHaveLength(2);
  expect(changes).toEqual([]);
  shop.close();
});

test("fields neither post messages to a page that they were not served for nor accept its messages", async ({
  page,
  seller,
}) => {
  const [shop, other] = [await openShop(seller), await openShop(seller)];
  await page.goto(other.origin);
  await expect.poll(async () => (await knownTo(page)).isReady).toBe(true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(
    async ([url, origin]) => {
      const { received } = window as unknown as Known;
      received.length = 0;
      const frame = document.createElement("iframe");
      frame.id = "stolen";
      frame.src = `${url}&parent=${encodeURIComponent(origin as string)}`;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
    },
    [`${env.APP_URL}/fields?key=${shop.key}`, shop.origin],
  );
  const stolen = page.frameLocator("#stolen");
  await stolen.getByLabel("Número do cartão").fill("4111111111111111");
  await stolen.getByLabel("Nome impresso no cartão").fill("ANA");
  await stolen.getByLabel("Validade").fill("12/35");
  await stolen.getByLabel("Código").fill("123");
  asked.length = 0;
  await page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>("#stolen");
    frame?.contentWindow?.postMessage({ repasse: "tokenize", id: 1 }, "*");
  });
  await page.waitForTimeout(500);
  expect((await knownTo(page)).received).toEqual([]);
  expect(asked).toEqual([]);
  shop.close();
  other.close();
});

test.describe("a shop that is not listed", () => {
  test.use({ allowErrors: /frame-ancestors|CORS policy|Failed to load resource|postMessage/ });

  test("has no fields and cannot read answers of the public route until it is listed", async ({ page, seller }) => {
    const shop = await openShop(seller, { isListed: false });
    await page.goto(shop.origin);
    await pay(page);
    await expect(page.getByText("the card fields were not loaded")).toBeVisible();
    await expect(fieldsIn(page).locator("input")).toHaveCount(0);
    expect((await knownTo(page)).received).toEqual([]);
    expect(await fetchToken(page, shop.key)).toContain("TypeError");

    await list(seller, shop.origin);
    expect(await fetchToken(page, shop.key)).toMatchObject({ status: 201, body: { data: { brand: "visa" } } });
    await page.reload();
    await expect(fieldsIn(page).getByLabel("Número do cartão")).toBeVisible();
    shop.close();
  });
});
