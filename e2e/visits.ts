import type { Request } from "@playwright/test";
import { forAccount } from "@/lib/db";
import { rebuildAccounts } from "@/lib/rollups/rebuild";
import { expect, type Page, type Seller, staffCookie } from "./fixtures";
import type { State } from "./pictures";

type Scene = (setting: { page: Page; seller: Seller }) => Promise<void>;

/** Pages, and how each of their states is reached without mocks. */
export type Scenes = Record<string, { guest?: boolean; scenes: Record<State, Scene> }>;

export async function see(page: Page, path: string) {
  const answer = await page.goto(path);
  expect(answer?.status(), path).toBe(200);
  await page.waitForLoadState("networkidle");
}

/** Opens a page of the operator's console as a person of the staff. */
export async function seeAsStaff(page: Page, path: string) {
  await page.context().addCookies([await staffCookie()]);
  await see(page, path);
}

export async function seeBroken(page: Page, path: string) {
  await page.goto(path);
  await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
}

/** Leaves requests of this address without an answer. Prefetches pass. */
export const hold = (page: Page, url: string) =>
  page.route(url, (route) => {
    const isAhead = Object.keys(route.request().headers()).some((name) => name.includes("prefetch"));
    if (isAhead) return route.continue();
  });

/** Points at a link until its loading state is prefetched, then follows it. */
export async function follow(page: Page, path: string) {
  await (await pointAt(page, path)).click();
}

/** Points at the first link to a page, until its loading state is prefetched. Returns the link. */
export async function pointAt(page: Page, path: string, within = page.locator("body")) {
  const link = within.locator(`a[href$="${path}"]`).first();
  const ahead = fetchedAhead(page, path);
  await expect(async () => {
    await page.mouse.move(0, 0); // until the page is hydrated, pointing at a link does nothing
    await link.hover();
    expect(ahead.count).toBeGreaterThan(0);
  }).toPass();
  return link;
}

/** Counts the prefetches of a page's loading state that were read: the browser aborts one as soon as it has what it needs. */
function fetchedAhead(page: Page, path: string) {
  const ahead = { count: 0 };
  const count = (request: Request) => {
    const headers = request.headers();
    const isShell = "next-router-prefetch" in headers && !("next-router-segment-prefetch" in headers);
    if (isShell && new URL(request.url()).pathname.endsWith(path.replace(/\?.*/, ""))) ahead.count += 1;
  };
  page.on("requestfinished", count);
  page.on("requestfailed", count);
  return ahead;
}

/** Navigates to another page whose data does not arrive. */
export async function heldOnTheWay(page: Page, from: string, to: string) {
  await see(page, from);
  const link = await pointAt(page, to, page.getByRole("navigation"));
  await hold(page, `**${to}**`);
  await link.click();
  await page.locator(".skeleton").first().waitFor();
}

/** Breaks a record of this seller, so that reading it fails. */
export async function spoil({ accountId }: Seller, sql: string) {
  await forAccount(accountId, (tx) => tx.$executeRawUnsafe(sql, accountId));
  await rebuildAccounts([accountId]); // no event told of it
}
