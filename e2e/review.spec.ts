import { content, expect, liveAccountOf, staffCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { aFile, changeAccount, filled, inputs, sendDocuments } from "./settings-pages";
import { see } from "./visits";

test("an account whose document was refused once is approved, and its audit tells all of it in plain words", async ({
  page,
  context,
  seller,
}) => {
  test.slow();
  const live = await liveAccountOf(seller);
  await changeAccount(live, filled);
  await context.addCookies([await staffCookie()]);
  await see(page, `/${live}/settings/documents`);
  await sendDocuments(page);
  await page.getByRole("button", { name: "Pedir análise" }).click();
  await expect(content(page).getByText(/^Análise pedida em/)).toBeVisible();

  await see(page, `/operator/accounts/${live}`);
  await page.getByRole("button", { name: "Recusar: Comprovante de endereço" }).click();
  await page.getByRole("dialog").getByLabel("Motivo").fill("Tem mais de três meses.");
  await page.getByRole("dialog").getByRole("button", { name: "Recusar" }).click();
  await expect(content(page).getByText("Motivo: Tem mais de três meses.")).toBeVisible();

  await see(page, `/${live}/settings/documents`);
  await expect(content(page).getByText("Tem mais de três meses.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pedir análise" })).toBeHidden();
  await inputs(page).nth(2).setInputFiles(aFile("conta.png"));
  await page.getByRole("button", { name: "Pedir análise" }).click();
  await expect(content(page).getByText(/^Análise pedida em/)).toBeVisible();

  await see(page, `/operator/accounts/${live}`);
  await page.getByRole("button", { name: "Aceitar: Comprovante de endereço" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Aceitar" }).click();
  await expect(content(page).getByText("Aceito", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Aprovar conta" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Aprovar", exact: true }).click();
  await expect(content(page).getByText("Aprovada", { exact: true }).first()).toBeVisible();

  await see(page, `/${live}/audit`);
  const told = content(page).locator("summary");
  await expect(told).toHaveText([
    /^Conta aprovada · .* · situação, pedido de análise.*Equipe da operação$/,
    /^Documento aceito · comprovante de endereço.*Equipe da operação$/,
    /^Conta alterada · pedido de análise.*Teste$/,
    /^Documento enviado · comprovante de endereço.*Teste$/,
    /^Documento recusado · comprovante de endereço.*Equipe da operação$/,
    /^Conta alterada · pedido de análise.*Teste$/,
    ...Array(3).fill(/^Documento enviado · .*Teste$/),
    /^Conta criada · .*Teste$/,
  ]);
  await told.first().click();
  await expect(content(page).getByText("pendente → aprovado")).toBeVisible();
  expect(await violationsIn(page)).toEqual([]);
});
