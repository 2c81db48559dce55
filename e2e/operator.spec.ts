import { readFileSync } from "node:fs";
import { asSystem } from "@/lib/db";
import { writeMail } from "@/lib/mail/write";
import { aMail, contents, lettersTo } from "@/lib/testing/mails";
import { expect, liveAccountOf, type Page, test } from "./fixtures";
import { violationsIn } from "./pictures";

type Demo = { operator: { email: string; password: string } };

async function signIn(page: Page) {
  const { operator } = JSON.parse(readFileSync(process.env.DEMO_JSON ?? "", "utf8")) as Demo;
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(operator.email);
  await page.getByLabel("Senha").fill(operator.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByRole("heading", { name: "Contas" }).waitFor();
}

test("the operator approves a seller in one step with features, fees, limits and a mail, and suspends it after a confirmation", async ({
  page,
  seller,
}) => {
  const id = await liveAccountOf(seller);
  await signIn(page);
  expect(new URL(page.url()).pathname).toBe("/operator/accounts");
  await page.getByLabel("Buscar contas").first().fill(seller.account.name);
  await page.keyboard.press("Enter");
  await page.locator(`a[href="/operator/accounts/${id}"]`).first().click();

  await page.getByRole("button", { name: "Aprovar conta" }).click();
  const approval = page.getByRole("dialog", { name: `Aprovar ${seller.account.name}` });
  await expect(approval).toContainText(`${seller.email} recebe um e-mail`);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await violationsIn(page)).toEqual([]);
    expect(await approval.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
  }
  await approval.getByRole("button", { name: "Fechar" }).click();
  await expect(page.getByText("Em análise", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Aprovar conta" }).click();
  await approval.getByLabel(/^Cartões/).check();
  const pix = approval.getByRole("group", { name: "Taxa do Pix" });
  await pix.getByLabel("Percentual").fill("120");
  await approval.getByRole("button", { name: "Aprovar e avisar por e-mail" }).click();
  await expect(approval.getByText("De 0 a 100, com até duas casas.")).toBeVisible();
  await pix.getByLabel("Percentual").fill("0,99");
  await approval.getByLabel("Espaço de 30 dias, em MB").fill("2048");
  await approval.getByRole("button", { name: "Aprovar e avisar por e-mail" }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await expect
    .poll(async () => (await lettersTo(seller.email)).at(-1))
    .toMatchObject({
      template: "account_approved",
      features: ["cards"],
      pixFee: { basisPoints: 99, fixed: 0 },
      url: expect.stringContaining(`/${id}/home`),
    });

  await page.getByRole("button", { name: "Suspender conta" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(page.getByText("Aprovada", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Suspender conta" }).click();
  await dialog.getByRole("button", { name: "Suspender conta" }).click();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText("Suspensa", { exact: true }).first()).toBeVisible();
  await expect(page.getByLabel(/^Cartões/).first()).toBeChecked();
});

test("the operator finds a refused mail, reads what the server said, and sends it again", async ({ page, seller }) => {
  const mail = aMail({ content: contents.confirm_address, accountId: seller.accountId, mode: "sandbox" });
  await asSystem(async (tx) => {
    await writeMail(tx, mail);
    const data = {
      status: "exhausted",
      error: "recipient_refused",
      answer: "550 unknown user",
      nextAttemptAt: null,
    } as const;
    await tx.mail.update({ where: { intent: mail.intent }, data });
  });
  await signIn(page);
  await page.getByRole("link", { name: "Mensagens" }).click();
  await page.getByRole("heading", { name: "Mensagens" }).waitFor();
  await page.getByLabel("Buscar mensagens").first().fill(mail.to.email);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: mail.to.email }).click();

  await expect(page.getByText("550 unknown user")).toBeVisible();
  const shown = page.frameLocator("iframe");
  await expect(shown.getByRole("heading", { name: "Confirme o seu e-mail" })).toBeVisible();
  await expect(shown.getByText("TESTE:")).toBeVisible();
  await page.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(page.getByText("A mensagem voltou para a fila").first()).toBeVisible();
  await expect(page.getByText("Guardada aqui, não enviada", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Tentar de novo" })).toBeHidden();
});

test.describe("for a seller", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("there is no console", async ({ page, seller }) => {
    for (const path of ["/operator/accounts", "/operator/mails", `/operator/accounts/${await liveAccountOf(seller)}`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    }
  });
});
