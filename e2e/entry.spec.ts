import { expect, paidDeposit, test } from "./fixtures";

test("the framework's own routes are refused to every visitor", async ({ request, page, seller }) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/home");
  for (const caller of [request, page.request]) {
    for (const path of ["/_next/image?url=%2Ficon.svg&w=64&q=75", "/_next/data/x/home.json", "/__nextjs_font/a"]) {
      expect((await caller.get(path)).status(), path).toBe(404);
    }
    const logged = await caller.post("/api/auth/_log", { form: { level: "error", code: "4111 1111 1111 1111" } });
    expect(logged.status()).toBe(404);
    const action = await caller.post("/home", { headers: { "next-action": "x" }, data: "[]" });
    expect(action.status()).toBe(405);
  }
});

test("sign-out succeeds with a malformed return address", async ({ request }) => {
  const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
  const unreadable = { callbackUrl: "http://%%%" };
  const forms: Record<string, string>[] = [{ ...unreadable, csrfToken, json: "true" }, unreadable];
  for (const form of forms) {
    const answer = await request.post("/api/auth/signout?callbackUrl=%%%", { form, maxRedirects: 0 });
    expect(answer.status()).toBeLessThan(400);
  }
});

test("sign-in leads back to the requested page, and to no other site", async ({ page, context }) => {
  await context.clearCookies();
  await page.goto("/transactions?status=completed");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Ftransactions%3Fstatus%3Dcompleted$/);
  await page.getByRole("link", { name: "Criar conta" }).click();
  await expect(page).toHaveURL(/\/sign-up$/);
  await page.goto("/sign-in?created=1&next=//evil.example");
  await expect(page.getByText("Conta criada. Entre com")).toBeVisible();
});

test.describe("a browser in English", () => {
  test.use({ locale: "en-US" });

  test("signs in in English, and in Portuguese once that was chosen", async ({ page, context }) => {
    await context.clearCookies();
    await page.goto("/sign-in");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByLabel("Password")).toBeVisible();
    await page.getByRole("button", { name: "Português" }).click();
    await expect(page.getByLabel("Senha")).toBeVisible();
    await page.goto("/sign-up");
    await expect(page.locator("html"), "the choice is kept").toHaveAttribute("lang", "pt-BR");
    await expect(page.getByRole("button", { name: "English" })).toBeVisible();
  });

  test("writes English numbers in the panel", async ({ page, seller }) => {
    await paidDeposit(seller, { amount: 2148.9 });
    await page.goto(`/${seller.accountId}/transactions`);
    await expect(page.getByText("R$ 2,148.90").first()).toBeVisible();
  });
});
