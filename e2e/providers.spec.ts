import { asSystem } from "@/lib/db";
import { newId } from "@/lib/ids";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { serveApiPix } from "@/lib/testing/api-pix";
import { makeAccount } from "@/lib/testing/make";
import { makeProvider } from "@/lib/testing/providers";
import { content, expect, type Page, staffCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { see, seeAsStaff } from "./visits";

test.use({ allowErrors: /status of 422/ });

/** No violation and no sideways scrolling: at a desk in light, on a phone in dark. */
async function expectReadable(page: Page, picture: (name: string) => string) {
  for (const [width, colorScheme] of [[1280, "light"] as const, [360, "dark"] as const]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([]);
    await page.screenshot({ path: picture(`${width}-${colorScheme}`), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
}

/** A PSP that is connected and not the default, so that no other test's live account is paid by it, and calls that it was asked. */
async function aConnectedPsp(profile: BacenSettings["profile"] = "standard") {
  const psp = await serveApiPix();
  const { id, name } = await makeProvider({ ...psp.settings, profile });
  const { accountId } = await makeAccount();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const far = new Date(Date.now() + 3_600_000);
  const aCall = { ...{ accountId, provider: name, kind: "refund", dueAt: far, createdAt: ago(5), sentAt: ago(5) } };
  await asSystem(async (tx) => {
    await tx.call.createMany({
      data: [
        ...Array.from({ length: 8 }, () => ({ ...aCall, id: newId(), doneAt: new Date(ago(5).getTime() + 420) })),
        { ...aCall, id: newId() },
      ],
    });
  });
  const end = async () => {
    await asSystem(async (tx) => {
      await tx.call.deleteMany({ where: { accountId, provider: name } });
      await tx.pixProvider.delete({ where: { id } });
      await tx.railLook.deleteMany({ where: { provider: name } });
    });
    await psp.close();
  };
  return { name, psp, end };
}

test("a PSP whose settings do not work is not connected: the form says at the field why, and keeps all that was typed", async ({
  page,
}, info) => {
  const psp = await serveApiPix();
  const { settings } = psp;
  await seeAsStaff(page, "/operator/providers");
  await content(page).getByRole("link", { name: "Conectar um PSP" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Conectar um PSP" })).toBeVisible();
  const field = (label: string) => content(page).getByLabel(label, { exact: true });
  await content(page).getByRole("button", { name: "Testar e conectar" }).click();
  await expect(content(page).getByText("Informe um endereço https://.").first()).toBeVisible();

  await content(page).getByLabel("Nome no sistema").fill("banco-sul");
  await content(page).getByLabel("Título").fill("Banco do Sul");
  await field("Endereço da API").fill(settings.base_url);
  await field("Endereço do token").fill(settings.token_url);
  await field("Client ID").fill(settings.client_id);
  await field("Client secret").fill(settings.client_secret);
  await field("Chave Pix").fill("nao-e-desta-psp");
  const both = Buffer.from(`Bag Attributes\n${settings.private_key}\nsubject=x\n${settings.certificate}`);
  const chooser = page.waitForEvent("filechooser");
  await content(page).getByRole("button", { name: "Ler de um arquivo: Certificado do cliente" }).click();
  await (await chooser).setFiles({ name: "cliente.pem", mimeType: "application/x-pem-file", buffer: both });
  await expect(content(page).getByLabel(/^Chave privada do certificado/)).toHaveValue(/BEGIN PRIVATE KEY/);
  const authority = content(page).getByLabel(/^Autoridade certificadora do PSP/);
  await expect(authority, "what only some PSPs need is folded").toBeHidden();
  await content(page).getByRole("button", { name: "Testar e conectar" }).click();
  await expect(content(page).getByText(/^O certificado do servidor do provedor não é de uma autoridade/)).toBeVisible();
  await expect(authority, "a fault opens it").toBeFocused();
  await authority.fill(settings.authority ?? "");
  await content(page).getByRole("button", { name: "Testar e conectar" }).click();
  await expect(
    content(page).getByText(/^O provedor recusou uma cobrança de um centavo\. Confira a chave Pix\. “O campo/),
  ).toBeVisible();
  await expect(field("Chave Pix")).toBeFocused();
  await expect(field("Client secret")).toHaveValue(settings.client_secret);
  await expect(content(page).getByLabel(/^Certificado do cliente/)).toHaveValue(/BEGIN CERTIFICATE/);
  await expectReadable(page, (name) => info.outputPath(`connect-${name}.png`));
  expect(await asSystem((tx) => tx.pixProvider.count({ where: { name: "banco-sul" } }))).toBe(0);
  await psp.close();
});

test("the page of rails and a PSP's record show how it answers and what it does not know of us, and no secret", async ({
  page,
}, info) => {
  const { name, psp, end } = await aConnectedPsp();
  await seeAsStaff(page, "/operator/providers");
  await expect(content(page).getByText("11,1% sem resposta à primeira (1 de 9)").first()).toBeVisible();
  await expect(content(page).getByText("Simulador de Pix e cartão")).toBeVisible();
  await expectReadable(page, (form) => info.outputPath(`rails-${form}.png`));

  await content(page).locator(`a[href="/operator/providers/${name}"]`).click();
  await expect(page.getByRole("heading", { level: 1, name: "Banco do Norte" })).toBeVisible();
  // Until the server knows the PSP, seconds after it was connected, nobody can say what that has.
  await expect(async () => {
    await page.reload();
    await expect(content(page).getByText("O PSP não tem o nosso endereço")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expectReadable(page, (form) => info.outputPath(`record-${form}.png`));
  expect(await page.content()).not.toContain(psp.settings.callback_secret);
  await content(page).getByRole("button", { name: "Mudar…" }).click();
  const form = page.getByRole("dialog", { name: "Mudar Banco do Norte" });
  await form.getByLabel("Título").fill("Banco do Norte S.A.");
  // What is folded is open, because this PSP has some of it: an account for Pix Automático.
  await form.getByLabel(/^Chamadas por minuto/).fill("1.200");
  await form.getByRole("button", { name: "Testar e salvar" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Banco do Norte S.A." })).toBeVisible();
  await expect(content(page).getByRole("button", { name: "Mudar…" }), "where the form was opened").toBeFocused();
  await expect(content(page).getByText("O PSP tem o nosso endereço")).toBeVisible();
  await expect(content(page).getByText("1.200", { exact: true })).toBeVisible();

  const known = psp.webhookUrl;
  await content(page).getByRole("button", { name: "Trocar o endereço…" }).click();
  const asked = page.getByRole("alertdialog", { name: "Trocar o endereço dos avisos de Banco do Norte S.A.?" });
  await expect(asked).toContainText("vale até ele confirmar o novo, no máximo um dia");
  await expectReadable(page, (form) => info.outputPath(`address-${form}.png`));
  await asked.getByRole("button", { name: "Trocar", exact: true }).click();
  await expect(page.getByText("Endereço trocado.").first()).toBeVisible();
  await expect(async () => expect(psp.webhookUrl).not.toBe(known)).toPass();
  await expect(content(page).getByText("Provedor alterado")).toHaveCount(2);
  await expect(content(page).getByText(/endereço dos avisos ·/)).toBeVisible();
  await expectReadable(page, (form) => info.outputPath(`changed-${form}.png`));

  await page.context().clearCookies();
  await page.context().addCookies([await staffCookie(["finance"])]);
  await see(page, `/operator/providers/${name}`);
  await expect(content(page).getByRole("button", { name: "Mudar…" })).toBeHidden();
  await end();
});

test("before a PSP becomes the default, of codes or of payouts, the page says what follows", async ({ page }, info) => {
  const { name, end } = await aConnectedPsp("efi");
  // What the answer would be: this test's PSP must not be where the live accounts of others are paid.
  const sent: unknown[] = [];
  await page.route(`**/api/operator/v1/pix-providers/${name}`, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    sent.push(route.request().postDataJSON());
    const answer = await route.fetch({ method: "GET", postData: "" });
    return route.fulfill({ response: answer });
  });
  await page.route("**/api/operator/v1/pix-providers", async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as { data: { name: string }[] };
    const [first] = data;
    await route.fulfill({
      json: { data: [...data, { ...first, name: "antigo", title: "PSP antigo", is_default: true }] },
    });
  });
  await seeAsStaff(page, `/operator/providers/${name}`);
  await content(page).getByRole("button", { name: "Tornar padrão" }).click();
  const asked = page.getByRole("alertdialog", { name: "Tornar Banco do Norte o padrão?" });
  await expect(asked).toContainText("Todo código novo passa a sair de Banco do Norte.");
  await expect(asked).toContainText("Os códigos abertos ainda são pagos em PSP antigo.");
  await expectReadable(page, (form) => info.outputPath(`default-${form}.png`));
  await asked.getByRole("button", { name: "Tornar padrão" }).click();
  await expect(page.getByText("Os códigos novos saem de Banco do Norte.").first()).toBeVisible();
  // Until the server knows the PSP, seconds after it was connected, it cannot say whether that sends money.
  await expect(async () => {
    await page.reload();
    await content(page).getByRole("button", { name: "Usar para saques" }).click({ timeout: 2_000 });
  }).toPass();
  const payouts = page.getByRole("alertdialog", { name: "Enviar todo saque por Banco do Norte?" });
  await expect(payouts).toContainText("Mantenha dinheiro suficiente ali");
  await expectReadable(page, (form) => info.outputPath(`payouts-${form}.png`));
  await payouts.getByRole("button", { name: "Usar para saques" }).click();
  await expect(page.getByText("Os saques saem por Banco do Norte.").first()).toBeVisible();
  expect(sent).toEqual([{ is_default: true }, { is_payout_default: true }]);
  await page.unrouteAll({ behavior: "ignoreErrors" }); // the list is read again meanwhile
  await end();
});

test("the staff chooses from which PSP an account's Pix comes, and the account's page shows it", async ({
  page,
}, info) => {
  const { name, end } = await aConnectedPsp();
  const { accountId } = await makeAccount({ mode: "live" });
  await seeAsStaff(page, `/operator/accounts/${accountId}`);
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Provedor do Pix", exact: true }) });
  await expect(section).toContainText("Nenhum: não há um padrão.");
  await section.getByRole("button", { name: "Escolher…" }).click();
  const form = page.getByRole("dialog", { name: /^Provedor do Pix de/ });
  await form.locator(`input[value="${name}"]`).check();
  await expectReadable(page, (picture) => info.outputPath(`choose-${picture}.png`));
  await form.getByRole("button", { name: "Escolher", exact: true }).click();
  await expect(section).toContainText("escolhido para esta conta");
  await expect(section.locator(`a[href="/operator/providers/${name}"]`)).toBeVisible();
  await end();
});
