import { asSystem, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";
import { adjust } from "./balance-pages";
import { content, expect, sessionCookie, staffCookie, test } from "./fixtures";
import { expectHeadsApart, violationsIn } from "./pictures";

const figures = [
  ["queue", "Fila"],
  ["revenue", "Receita"],
  ["reconcile", "Conciliação"],
  ["providers", "Provedores"],
  ["refused", "Cobranças recusadas"],
  ["jobs", "Trabalhos"],
  ["staff", "Equipe"],
] as const;

for (const [path, title] of figures) {
  test(`the console's page ${path} is readable on a phone and at a desk, in light and dark`, async ({ page }, info) => {
    await somethingHappened();
    await page.context().addCookies([await staffCookie()]);
    await page.goto(`/operator/${path}`);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([]);
        await page.screenshot({ path: info.outputPath(`${path}-${width}-${colorScheme}.png`) });
      }
      await expectHeadsApart(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
}

/** The console has something to show on each of its pages of figures. */
async function somethingHappened() {
  await prisma().reconcileRun.create({ data: { ...aRun, id: newId() } });
  await aStaffPerson(["support"]);
  const { accountId } = await makeAccount({ mode: "live" });
  await adjust(accountId, "credit", 1_250_90);
  const asked = { method: "POST", path: "/api/partner/v1/cash-in", durationMs: 1, ip: "::1", createdAt: new Date() };
  const refused = { id: newId(), accountId, ...asked, status: 422, error: "amount_below_minimum" };
  await asSystem((tx) => tx.requestLog.create({ data: refused }));
}

const aRun = {
  ...{ startedAt: new Date(Date.now() - 90_000), endedAt: new Date(), findings: 1, failure: null },
  faults: [{ fault: "balance_differs", detail: "available is 8820, entries say -980", accountId: newId() }],
};

test("a seller's and a staff session live in one browser, and each sign-in knows only its own people", async ({
  page,
  seller,
}) => {
  await page.context().addCookies([await sessionCookie(seller.accountId), await staffCookie()]);
  await page.goto("/operator/accounts");
  await expect(page.getByRole("heading", { level: 1, name: "Contas" })).toBeVisible();
  await page.goto(`/${seller.accountId}/home`);
  await expect(page).toHaveURL(new RegExp(`/${seller.accountId}/home`));
  await page.waitForLoadState("networkidle"); // what it still reads would find no session
  await page.context().clearCookies();
  await page.goto("/operator/refunds");
  await expect(page).toHaveURL(/\/operator\/sign-in\?next=%2Foperator%2Frefunds$/);
  await expect(page.getByRole("heading", { level: 1, name: "Entre na operação" })).toBeVisible();
  await expect(page.getByText("Criar conta"), "nobody signs up to the staff").toBeHidden();
  expect(await violationsIn(page)).toEqual([]);
});

test("an admin invites a person, gives another role and removes them, and support is shown no button", async ({
  page,
}) => {
  await page.context().addCookies([await staffCookie()]);
  await page.goto("/operator/staff");
  await page.getByRole("button", { name: "Convidar pessoa" }).click();
  const dialog = page.getByRole("dialog", { name: "Convidar pessoa" });
  const name = `Bia ${newId().slice(-6)}`;
  const email = `${newId()}@example.com`;
  await dialog.getByLabel("Nome").fill(name);
  await dialog.getByLabel("E-mail").fill(email);
  expect(await violationsIn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Enviar convite" }).click();
  const row = page.getByRole("listitem").filter({ hasText: email });
  await expect(row.getByText("Convite enviado")).toBeVisible();
  await row.getByRole("button", { name: `Mudar o que ${name} pode fazer` }).click();
  const roles = page.getByRole("dialog", { name: `Mudar o que ${name} pode fazer` });
  await roles.getByLabel(/^Financeiro/).check();
  await roles.getByRole("button", { name: "Salvar" }).click();
  await expect(row.getByText("Atendimento, Financeiro")).toBeVisible();
  await row.getByRole("button", { name: `Remover ${name} da operação` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remover" }).click();
  await expect(row).toBeHidden();

  // In the place of the first, or what the page still reads would find no session.
  await page.context().addCookies([await staffCookie(["support"])]);
  await page.goto("/operator/staff");
  await expect(page.getByRole("heading", { level: 1, name: "Equipe" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Convidar pessoa" })).toBeHidden();
  const { accountId } = await makeAccount({ mode: "live" });
  await page.goto(`/operator/accounts/${accountId}`);
  await expect(page.getByRole("heading", { name: "Anotações da operação" })).toBeVisible();
  for (const name of ["Suspender conta", "Mudar…", "Ajustar…"]) {
    await expect(page.getByRole("button", { name })).toBeHidden();
  }
  await content(page).getByLabel("Nova anotação").fill("Ligou no dia 3.");
  await page.getByRole("button", { name: "Anotar" }).click();
  await expect(page.getByText("Ligou no dia 3.").first()).toBeVisible();
});
