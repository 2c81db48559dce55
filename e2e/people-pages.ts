import type { TrackingAnswer } from "@/components/tracking/queries";
import { prisma } from "@/lib/db";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { allStaffRoles } from "@/lib/testing/staff";
import { content, cookieOf, deposit, expect, type Page, paidDeposit, type Seller } from "./fixtures";
import {
  codeOf,
  giveSecondFactor,
  makeApproval,
  makeInvitation,
  makeMember,
  makePerson,
  ownerOf,
  PASSWORD,
} from "./people";
import { heldOnTheWay, hold, type Scenes, see, seeBroken, spoil } from "./visits";

/** Makes a sale, and waits until the tracking service has answered its order so. */
async function reported(seller: Seller, answer: number) {
  await deposit(seller);
  const orders = async () => (await seller.api<TrackingAnswer>("GET", "/api/partner/v1/tracking")).data.orders;
  await expect.poll(async () => (await orders())[0]?.answer_status, { timeout: 20_000 }).toBe(answer);
}

/** The pages of people: team, security, approvals, the way into a team, and the choice of an account. */
export const peoplePages: Scenes = {
  team: {
    scenes: {
      empty: ({ page }) => see(page, "/settings/team"),
      full: async ({ page, seller }) => {
        const { id } = await makeMember(seller, "Zulmira Albuquerque de Souza e Silva Filha", "finance");
        await giveSecondFactor(id);
        await makeMember(seller, "Caio Reis", "viewer");
        await makeMember(seller, "Bento Prado", "owner");
        await makeInvitation(seller, "uma.pessoa.com.um.endereco.comprido@exemplo.com.br", "developer");
        const expiresAt = new Date(Date.now() - 86_400_000);
        await makeInvitation(seller, "caio@exemplo.com.br", "viewer", { expiresAt });
        await see(page, "/settings/team");
        await page.getByText("O que cada papel pode fazer").click();
        await page.getByText("Consultar o saldo").waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings/security", "/settings/team"),
      error: async ({ page, seller }) => {
        await spoil(seller, "update memberships set created_at = 'infinity' where sandbox_id = $1::uuid");
        await seeBroken(page, "/settings/team");
      },
    },
  },
  "team-invite": {
    scenes: {
      empty: ({ page }) => openInvite(page),
      full: async ({ page }) => {
        await openInvite(page);
        await page.getByLabel("E-mail").fill("bia@exemplo.com.br");
        await page.getByRole("radio", { name: "Financeiro" }).check();
        await page.getByText("Financeiro pode:").waitFor();
      },
      loading: async ({ page }) => {
        await openInvite(page);
        await page.getByLabel("E-mail").fill("bia@exemplo.com.br");
        await hold(page, "**/api/dashboard/v1/team/invitations");
        await page.getByRole("button", { name: "Enviar convite" }).click();
        await page.locator("[aria-busy=true]").waitFor();
      },
      error: async ({ page }) => {
        await openInvite(page);
        await page.getByLabel("E-mail").fill("bia@exemplo");
        await page.getByRole("button", { name: "Enviar convite" }).click();
        await page.getByText("Informe um e-mail completo.").waitFor();
      },
    },
  },
  security: {
    scenes: {
      empty: ({ page }) => seeSecurity(page),
      full: async ({ page, seller }) => {
        const { userId } = await ownerOf(seller);
        await giveSecondFactor(userId);
        await cookieOf("seller", userId, seller.accountId);
        await seeSecurity(page);
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings/team", "/settings/security"),
      error: async ({ page, seller }) => {
        await spoilSessions((await ownerOf(seller)).userId);
        await seeBroken(page, "/settings/security");
      },
    },
  },
  tracking: {
    scenes: {
      empty: ({ page }) => see(page, "/settings/tracking"),
      full: async ({ page, seller }) => {
        await see(page, "/settings/tracking");
        await page.getByLabel("Token do serviço").fill("um-token-da-loja");
        await page.getByRole("button", { name: "Ativar" }).click();
        await page.getByText("Ativo", { exact: true }).waitFor();
        await reported(seller, 200);
        await page.reload();
        await page.locator("summary", { hasText: "Venda: Pendente" }).filter({ hasText: "Aceito" }).first().click();
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings/security", "/settings/tracking"),
      error: async ({ page, seller }) => {
        await see(page, "/settings/tracking");
        await page.getByLabel("Token do serviço").fill("invalid-token");
        await page.getByRole("button", { name: "Ativar" }).click();
        await page.getByText("Ativo", { exact: true }).waitFor();
        await reported(seller, 401);
        await page.reload();
        await page.getByText("O serviço recusou").first().waitFor();
        await content(page).getByLabel("Novo token").fill("curto");
        await page.getByRole("button", { name: "Trocar o token" }).click();
        await page.getByText("Informe o token como o serviço o mostra").waitFor();
      },
    },
  },
  notifications: {
    scenes: {
      empty: async ({ page, seller }) => {
        const { userId } = await ownerOf(seller);
        await prisma().membership.updateMany({ where: { userId }, data: { topics: [], hasChosenTopics: true } });
        await see(page, "/settings/notifications");
      },
      full: async ({ page }) => {
        await see(page, "/settings/notifications");
        await page.getByLabel("Webhooks").uncheck();
        await page.getByRole("button", { name: "Salvar" }).click();
        await page.getByText("Escolha salva.", { exact: true }).waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings/security", "/settings/notifications"),
      error: async ({ page }) => {
        await see(page, "/settings/notifications");
        await page.getByLabel("Webhooks").uncheck();
        await page.route("**/api/dashboard/v1/notifications", (route) => route.abort());
        await page.getByRole("button", { name: "Salvar" }).click();
        await page.getByText("Sem resposta do servidor").first().waitFor();
      },
    },
  },
  "second-factor": {
    scenes: {
      empty: ({ page }) => openSetUp(page),
      full: async ({ page }) => {
        await openSetUp(page);
        await page.getByLabel("Primeiro código").fill(codeOf(await secretShown(page)));
        await page.getByRole("button", { name: "Ativar" }).click();
        await page.getByRole("heading", { name: "Guarde os códigos de recuperação" }).waitFor();
      },
      loading: async ({ page }) => {
        await openSetUp(page);
        await page.getByLabel("Primeiro código").fill("123456");
        await hold(page, "**/second-factor/confirm");
        await page.getByRole("button", { name: "Ativar" }).click();
        await page.locator("[aria-busy=true]").waitFor();
      },
      error: async ({ page }) => {
        await openSetUp(page);
        await page.getByLabel("Primeiro código").fill("000000");
        await page.getByRole("button", { name: "Ativar" }).click();
        await page.getByText("O código não confere.").waitFor();
      },
    },
  },
  "operator-security": {
    scenes: {
      empty: async ({ page }) => {
        await signInAsStaff(page, { secondFactorAt: null });
        await see(page, "/operator/accounts");
        await expect(page).toHaveURL(/\/operator\/security$/);
        await page.getByText("Inativo").waitFor();
      },
      full: async ({ page }) => {
        await giveSecondFactor(await signInAsStaff(page));
        await see(page, "/operator/security");
        await page.getByText("Sobram 8 códigos de recuperação.").waitFor();
      },
      loading: async ({ page }) => {
        await signInAsStaff(page);
        await hold(page, "**/api/dashboard/v1/security");
        await page.goto("/operator/security");
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page }) => {
        await spoilSessions(await signInAsStaff(page));
        await seeBroken(page, "/operator/security");
      },
    },
  },
  approvals: {
    scenes: {
      empty: ({ page }) => see(page, "/settings/approvals"),
      full: async ({ page, seller }) => {
        await someApprovals(seller);
        await see(page, "/settings/approvals");
        await page.getByText("À espera").first().waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings/team", "/settings/approvals"),
      error: async ({ page, seller }) => {
        await someApprovals(seller);
        await spoil(seller, "update approvals set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/settings/approvals");
      },
    },
  },
  join: {
    guest: true,
    scenes: {
      empty: async ({ page, seller }) => {
        await see(page, `/join/${await invited(seller, "bia@exemplo.com.br")}`);
        await page.getByText("Como Financeiro").waitFor();
      },
      full: async ({ page, seller }) => {
        const other = await makePerson("Bia Nunes");
        await page.context().addCookies([await cookieOf("seller", other.id, null)]);
        await see(page, `/join/${await invited(seller, "uma.pessoa.com.um.endereco.comprido@exemplo.com.br")}`);
        await page.getByText("o convite é para").waitFor();
      },
      loading: async ({ page, seller }) => {
        await hold(page, "**/team-invitations/offer");
        await page.goto(`/join/${await invited(seller, "bia@exemplo.com.br")}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page }) => {
        await page.goto(`/join/${newSecret()}`);
        await page.getByText("Este link não abre mais").waitFor();
      },
    },
  },
  accounts: {
    guest: true,
    scenes: {
      empty: async ({ page }) => {
        await seeAccounts(page, (await makePerson("Bia Nunes")).id);
        await page.getByText("Você não tem acesso a nenhuma conta").waitFor();
      },
      full: async ({ page, seller }) => seeAccounts(page, (await ownerOf(seller)).userId),
      loading: async ({ page, seller }) => {
        await seeAccounts(page, (await ownerOf(seller)).userId);
        await hold(page, "**/api/auth/signout");
        await page.getByRole("button", { name: "Sair" }).click();
        await page.locator("[aria-busy=true]").waitFor();
      },
      error: async ({ page, seller }) => {
        await seeAccounts(page, (await ownerOf(seller)).userId);
        await page.route("**/api/auth/signout", (route) => route.abort());
        await page.getByRole("button", { name: "Sair" }).click();
        await page.getByText("Não foi possível sair").waitFor();
      },
    },
  },
  "sign-in-code": {
    guest: true,
    scenes: {
      empty: async ({ page }) => {
        await askedForCode(page);
      },
      full: async ({ page }) => {
        await askedForCode(page);
        await page.getByLabel("Código do aplicativo").fill("ABCD-EFGH-JKLM-NPQR");
      },
      loading: async ({ page }) => {
        await askedForCode(page);
        await hold(page, "**/api/auth/callback/credentials**");
        await page.getByLabel("Código do aplicativo").fill("123456");
        await page.keyboard.press("Enter");
        await page.getByText("Entrando…").waitFor();
      },
      error: async ({ page }) => {
        await askedForCode(page);
        await page.getByLabel("Código do aplicativo").fill("000000");
        await page.keyboard.press("Enter");
        await page.getByText("O código não confere.").waitFor();
      },
    },
  },
  "new-credential": {
    scenes: {
      empty: ({ page }) => openCredential(page),
      full: async ({ page }) => {
        await openCredential(page);
        await page.getByLabel("Nome").fill("ERP");
        await page.getByLabel("Pedir e cancelar estornos").check();
        await page.getByLabel("Endereços de IP permitidos").fill("203.0.113.7\n203.0.113.0/24");
        await page.getByLabel("Vale até").fill("2030-12-31");
      },
      loading: async ({ page }) => {
        await openCredential(page);
        await page.getByLabel("Nome").fill("ERP");
        await hold(page, "**/api/partner/v1/credentials");
        await page.getByRole("button", { name: "Criar credencial" }).click();
        await page.locator("[aria-busy=true]").waitFor();
      },
      error: async ({ page }) => {
        await openCredential(page);
        await page.getByLabel("Nome").fill("ERP");
        await page.getByLabel("Endereços de IP permitidos").fill("a loja");
        await page.getByRole("button", { name: "Criar credencial" }).click();
        await page.getByText("Informe até 50 endereços").waitFor();
      },
    },
  },
};

async function openInvite(page: Page) {
  await see(page, "/settings/team");
  await page.getByRole("button", { name: "Convidar pessoa" }).click();
  await page.getByRole("dialog").waitFor();
}

async function seeSecurity(page: Page) {
  await see(page, "/settings/security");
  await page.getByText("Esta sessão").waitFor();
}

async function openSetUp(page: Page) {
  await seeSecurity(page);
  await page.getByRole("button", { name: "Configurar segundo fator" }).click();
  await page.getByRole("img", { name: "Código QR do segundo fator" }).waitFor();
}

/** The key that is shown beside the QR code. */
export const secretShown = async (page: Page) =>
  ((await page.getByRole("dialog").locator("code").textContent()) ?? "").replaceAll(" ", "");

/** Signs a new person of the staff in. Returns their id. */
async function signInAsStaff(page: Page, session: object = {}) {
  const person = { ...(await makePerson("Olga Prado")), staffRoles: allStaffRoles };
  await prisma().user.update({ where: { id: person.id }, data: { staffRoles: allStaffRoles } });
  await page.context().addCookies([await cookieOf("staff", person.id, null)]);
  await prisma().session.updateMany({ where: { userId: person.id }, data: session });
  return person.id;
}

/** Gives the sessions of a person a beginning that no calendar has. */
const spoilSessions = (userId: string) =>
  prisma().$executeRaw`update sessions set created_at = 'infinity' where user_id = ${userId}::uuid`;

/** Another owner asked for each kind of what waits; one was decided, one has lapsed. */
async function someApprovals(seller: Seller) {
  const asker = await makeMember(seller, "Zulmira Albuquerque de Souza e Silva Filha", "owner");
  const removed = await makeMember(seller, "Bento Prado", "owner");
  const { identifier } = await paidDeposit(seller);
  const refund = {
    kind: "refund",
    subjectId: identifier,
    asked: {
      ...{ id: identifier, amount: 13_200, reason: "product_not_delivered", cancel_subscription: "now" },
      reason_details: "Extraviado nos Correios; a transportadora confirmou por telefone.",
    },
    askedBy: asker.id,
  } as const;
  const key = { kind: "credential_scopes", subjectId: seller.clientId } as const;
  const asked = { client_id: seller.clientId, scopes: ["refunds:write"] };
  const removal = { kind: "owner_removal", subjectId: removed.id, askedBy: asker.id } as const;
  await makeApproval(seller, refund);
  await makeApproval(seller, { ...key, asked, askedBy: asker.id });
  await makeApproval(seller, { ...removal, asked: { id: removed.id, role: null } });
  await makeApproval(seller, { ...refund, askedBy: (await ownerOf(seller)).userId });
  const decided = { decidedBy: removed.id, decidedAt: new Date() };
  await makeApproval(seller, { ...removal, asked: { id: removed.id, role: "viewer" }, status: "rejected", ...decided });
  await makeApproval(seller, { ...refund, status: "approved", ...decided });
  await makeApproval(seller, { ...refund, status: "lapsed", decidedAt: new Date() });
}

/** Invites an e-mail to a seller's team. Returns the link's secret. */
async function invited(seller: Seller, email: string): Promise<string> {
  const secret = newSecret();
  await makeInvitation(seller, email, "finance", { id: newId(), linkHash: new Uint8Array(sha256(secret)) });
  return secret;
}

async function seeAccounts(page: Page, userId: string) {
  await page.context().addCookies([await cookieOf("seller", userId, null)]);
  await see(page, "/accounts");
}

async function askedForCode(page: Page) {
  const { id, email } = await makePerson("Bia Nunes");
  await giveSecondFactor(id);
  await see(page, "/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Falta o código do segundo fator").waitFor();
}

async function openCredential(page: Page) {
  await see(page, "/credentials");
  await page.getByRole("button", { name: "Nova credencial" }).first().click();
  await page.getByRole("dialog").waitFor();
}
