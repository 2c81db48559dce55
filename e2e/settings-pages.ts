import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { aPng } from "@/lib/testing/pictures";
import type { Prisma } from "@/prisma/client/client";
import { liveAccountOf, type Page, type Seller } from "./fixtures";
import { follow, heldOnTheWay, hold, pointAt, type Scenes, see, seeAsStaff, seeBroken, spoil } from "./visits";

/** What an account needs besides its documents. */
export const filled = {
  ...{ phone: "11987654321", supportEmail: "ajuda@atelieaurora.com.br", supportPhone: "1133334444" },
  address: {
    ...{ zipCode: "01001000", street: "Praça da Sé", streetNumber: "100", complement: "sala 3", district: "Sé" },
    ...{ city: "São Paulo", state: "SP" },
  },
  legalRepresentative: { name: "Ana Prado de Albuquerque", document: "52998224725" },
};

export const changeAccount = (id: string, data: Prisma.AccountUpdateInput) =>
  forAccount(id, (tx) => tx.account.update({ where: { id }, data }));

/** Opens the settings of the seller's live account, which waits for its approval. */
async function seeLive(page: Page, seller: Seller, path = "/settings", data: Prisma.AccountUpdateInput = {}) {
  const live = await liveAccountOf(seller);
  await changeAccount(live, data);
  await see(page, `/${live}${path}`);
  return live;
}

/** A change of the profile that was asked for. */
async function aRequest(accountId: string, ended: object = {}) {
  const data = { accountId, id: newId(), name: "Ateliê Aurora de Papelaria Ltda", createdAt: new Date(), ...ended };
  await forAccount(accountId, (tx) => tx.profileRequest.create({ data }));
}

export const aFile = (name: string) => ({ name, mimeType: "image/png", buffer: aPng(600, 400) });
export const inputs = (page: Page) => page.locator('input[type="file"]');

/** Sends a file for each kind of document. */
export async function sendDocuments(page: Page) {
  for (const place of [0, 1, 2]) {
    await inputs(page)
      .nth(place)
      .setInputFiles(aFile(`${place}.png`));
    await page.getByText("Em análise", { exact: true }).nth(place).waitFor();
  }
}

/** The pages of an account's own settings, and what the staff decides of them. */
export const settingsPages: Scenes = {
  settings: {
    scenes: {
      empty: ({ page }) => see(page, "/settings"),
      full: async ({ page, seller }) => {
        const live = await liveAccountOf(seller);
        await aRequest(live);
        await seeLive(page, seller, "/settings", filled);
        await page.getByText("Pedido em análise").waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/settings"),
      error: async ({ page, seller }) => {
        await spoil(seller, "update accounts set created_at = 'infinity' where id = $1::uuid");
        await page.goto("/settings");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "settings-form": {
    scenes: {
      empty: ({ page, seller }) => seeLive(page, seller).then(() => undefined),
      full: ({ page, seller }) => seeLive(page, seller, "/settings", filled).then(() => undefined),
      loading: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings", filled);
        await hold(page, "**/api/dashboard/v1/account");
        await page.getByRole("button", { name: "Salvar" }).click();
      },
      error: async ({ page, seller }) => {
        await seeLive(page, seller);
        await page.getByLabel("Telefone da empresa").fill("98765");
        await page.getByLabel("CEP").fill("010");
        await page.getByRole("button", { name: "Salvar" }).click();
        await page.getByText("O CEP tem 8 dígitos.").waitFor();
      },
    },
  },
  "settings-request": {
    scenes: {
      empty: async ({ page, seller }) => {
        await seeLive(page, seller);
        await page.getByRole("button", { name: "Pedir alteração" }).click();
        await page.getByRole("dialog").waitFor();
      },
      full: async ({ page, seller }) => {
        const live = await liveAccountOf(seller);
        await aRequest(live, { status: "rejected", reason: "O CNPJ está baixado na Receita.", endedAt: new Date() });
        await seeLive(page, seller, "/settings", filled);
        await page.getByRole("button", { name: "Pedir alteração" }).click();
        await page.getByRole("dialog").waitFor();
      },
      loading: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings", filled);
        await page.getByRole("button", { name: "Pedir alteração" }).click();
        await page.getByRole("dialog").getByLabel("Nome", { exact: true }).fill("Ateliê Aurora Ltda");
        await hold(page, "**/api/dashboard/v1/account/requests");
        await page.getByRole("button", { name: "Enviar pedido" }).click();
      },
      error: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings", filled);
        await page.getByRole("button", { name: "Pedir alteração" }).click();
        await page.getByRole("dialog").getByLabel("CPF ou CNPJ").fill("123");
        await page.getByRole("button", { name: "Enviar pedido" }).click();
        await page.getByText("Confira os dígitos.").waitFor();
      },
    },
  },
  "settings-documents": {
    scenes: {
      empty: ({ page, seller }) => seeLive(page, seller, "/settings/documents").then(() => undefined),
      full: async ({ page, seller }) => {
        const live = await seeLive(page, seller, "/settings/documents", filled);
        await sendDocuments(page);
        const reason = "O comprovante tem mais de três meses: envie um mais recente.";
        await forAccount(live, (tx) =>
          tx.accountDocument.updateMany({
            where: { accountId: live, kind: "address" },
            data: { status: "refused", reason },
          }),
        );
        await see(page, `/${live}/settings/documents`);
        await page.getByText(reason).waitFor();
      },
      loading: async ({ page, seller }) => {
        const path = `/${await liveAccountOf(seller)}/settings/documents`;
        await seeLive(page, seller);
        const link = await pointAt(page, path, page.getByRole("navigation", { name: "Ajustes" }));
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings/documents");
        const buffer = Buffer.from("MZ not a document");
        await inputs(page).first().setInputFiles({ name: "contrato.pdf", mimeType: "application/pdf", buffer });
        await page.getByText("O arquivo não é um PDF, JPEG ou PNG.").waitFor();
      },
    },
  },
  "settings-closing": {
    scenes: {
      empty: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings", filled);
        await page.getByRole("button", { name: "Encerrar conta" }).click();
        await page.getByRole("dialog").waitFor();
      },
      full: ({ page, seller }) =>
        seeLive(page, seller, "/settings", { ...filled, status: "closed" }).then(() => undefined),
      loading: async ({ page, seller }) => {
        const live = await seeLive(page, seller, "/settings", filled);
        const { name } = await forAccount(live, (tx) => tx.account.findUniqueOrThrow({ where: { id: live } }));
        await page.getByRole("button", { name: "Encerrar conta" }).click();
        await page.getByLabel("Digite o nome da conta").fill(name);
        await hold(page, "**/api/dashboard/v1/account/closing");
        await page.getByRole("dialog").getByRole("button", { name: "Encerrar conta" }).click();
      },
      error: async ({ page, seller }) => {
        await seeLive(page, seller, "/settings", filled);
        await page.getByRole("button", { name: "Encerrar conta" }).click();
        await page.getByLabel("Digite o nome da conta").fill("Outra loja");
        await page.getByRole("dialog").getByRole("button", { name: "Encerrar conta" }).click();
        await page.getByText("Digite o nome como ele está escrito.").waitFor();
      },
    },
  },
  "operator-profile-requests": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/profile-requests?page=400"),
      full: async ({ page, seller }) => {
        await aRequest(await liveAccountOf(seller));
        await seeAsStaff(page, "/operator/profile-requests");
      },
      loading: async ({ page }) => {
        await seeAsStaff(page, "/operator/accounts");
        await hold(page, "**/operator/profile-requests**");
        await follow(page, "/operator/profile-requests");
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/accounts");
        await seeBroken(page, "/operator/profile-requests?page=x");
      },
    },
  },
  "operator-documents": {
    scenes: {
      empty: async ({ page, seller }) => seeAsStaff(page, `/operator/accounts/${await liveAccountOf(seller)}`),
      full: async ({ page, seller }) => {
        const live = await seeLive(page, seller, "/settings/documents", filled);
        await sendDocuments(page);
        await aRequest(live);
        await page.getByRole("button", { name: "Pedir análise" }).click();
        await page.getByText("Análise pedida em").waitFor();
        await seeAsStaff(page, `/operator/accounts/${live}`);
        await page.getByText("Nada falta.").waitFor();
      },
      loading: async ({ page, seller }) => {
        const live = await seeLive(page, seller, "/settings/documents", filled);
        await sendDocuments(page);
        await seeAsStaff(page, `/operator/accounts/${live}`);
        await page
          .getByRole("button", { name: /^Recusar: / })
          .first()
          .click();
        await page.getByRole("dialog").getByLabel("Motivo").fill("O arquivo está ilegível.");
        await hold(page, "**/refuse");
        await page.getByRole("dialog").getByRole("button", { name: "Recusar" }).click();
      },
      error: async ({ page, seller }) => {
        const live = await seeLive(page, seller, "/settings/documents", filled);
        await sendDocuments(page);
        await seeAsStaff(page, `/operator/accounts/${live}`);
        await page
          .getByRole("button", { name: /^Recusar: / })
          .first()
          .click();
        await page.getByRole("dialog").getByRole("button", { name: "Recusar" }).click();
        await page.getByText("Escreva o motivo ao vendedor.").waitFor();
      },
    },
  },
};
