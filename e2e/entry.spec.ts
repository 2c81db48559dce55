import { expect, test } from "./fixtures";

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
