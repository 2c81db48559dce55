import { asSystem, forAccount, prisma } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { type Mail, writeMail } from "@/lib/mail/write";
import { aMail, contents } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { aPng } from "@/lib/testing/pictures";
import type { Prisma } from "@/prisma/client/client";
import { auditPages } from "./audit-pages";
import { balancePages } from "./balance-pages";
import { checkoutPages } from "./checkout-pages";
import {
  cardSale,
  deposit,
  liveAccountOf,
  mailedLink,
  type Page,
  paidDeposit,
  paidTwice,
  type Seller,
  sessionCookie,
  staffCookie,
} from "./fixtures";
import { peoplePages } from "./people-pages";
import { privacyPages } from "./privacy-pages";
import { refundPages } from "./refund-pages";
import { askRefund } from "./refunds";
import { settingsPages } from "./settings-pages";
import { fieldsIn, openShop, typeCard } from "./shop";
import { splitPages } from "./split-pages";
import { plan, product } from "./splits";
import { subscriptionDetailPages } from "./subscription-detail-pages";
import { subscriptionPages } from "./subscription-pages";
import { follow, heldOnTheWay, hold, pointAt, type Scenes, see, seeAsStaff, seeBroken, spoil } from "./visits";
import { withdrawalPages } from "./withdrawal-pages";

/** Every page of the product, and how each of its states is reached without mocks. */
export const pages: Scenes = {
  "sign-in": {
    guest: true,
    scenes: {
      empty: ({ page }) => see(page, "/sign-in"),
      full: ({ page }) => fillSignIn(page),
      loading: async ({ page }) => {
        await fillSignIn(page);
        await hold(page, "**/api/auth/callback/credentials**");
        await page.keyboard.press("Enter");
        await page.getByText("Entrando…").waitFor();
      },
      error: async ({ page }) => {
        await fillSignIn(page);
        await page.keyboard.press("Enter");
        await page.getByText("E-mail ou senha não conferem").waitFor();
      },
    },
  },
  "operator-sign-in": {
    guest: true,
    scenes: {
      empty: ({ page }) => see(page, "/operator/sign-in"),
      full: ({ page }) => fillSignIn(page, "/operator/sign-in"),
      loading: async ({ page }) => {
        await fillSignIn(page, "/operator/sign-in");
        await hold(page, "**/api/operator-auth/callback/credentials**");
        await page.keyboard.press("Enter");
        await page.getByText("Entrando…").waitFor();
      },
      error: async ({ page }) => {
        await fillSignIn(page, "/operator/sign-in");
        await page.keyboard.press("Enter");
        await page.getByText("E-mail ou senha não conferem").waitFor();
      },
    },
  },
  "sign-up": {
    guest: true,
    scenes: {
      empty: ({ page }) => see(page, "/sign-up"),
      full: ({ page }) => fillSignUp(page, "529.982.247-25"),
      loading: async ({ page }) => {
        await fillSignUp(page, "529.982.247-25");
        await hold(page, "**/api/public/v1/sign-up");
        await page.keyboard.press("Enter");
        await page.getByText("Criando a conta…").waitFor();
      },
      error: async ({ page }) => {
        await fillSignUp(page, "529.982.247-24");
        await page.keyboard.press("Enter");
        await page.getByText("O documento não confere").waitFor();
      },
    },
  },
  "check-mail": {
    guest: true,
    scenes: {
      empty: async ({ page }) => {
        await see(page, "/forgot");
        await page.getByLabel("E-mail").fill("ana@exemplo.com.br");
        await page.keyboard.press("Enter");
        await page.getByText("Confira o seu e-mail").waitFor();
      },
      full: async ({ page }) => {
        await fillSignUp(page, "529.982.247-25", `${newId()}.um.endereco.muito.comprido@exemplo.com.br`);
        await page.keyboard.press("Enter");
        await page.getByText("Confira o seu e-mail").waitFor();
      },
      loading: async ({ page }) => {
        await see(page, "/forgot");
        await page.getByLabel("E-mail").fill("ana@exemplo.com.br");
        await hold(page, "**/api/dashboard/v1/forgot");
        await page.keyboard.press("Enter");
        await page.getByText("Enviando…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, "/forgot");
        await page.getByLabel("E-mail").fill("ana@exemplo");
        await page.keyboard.press("Enter");
        await page.getByText("Informe um e-mail completo").waitFor();
      },
    },
  },
  "confirm-address": {
    guest: true,
    scenes: {
      empty: ({ page }) => see(page, `/confirm/${newSecret()}`),
      full: async ({ page, seller }) => {
        const url = await linkOfUnconfirmed(page, seller);
        await page.goto(url);
        await page.getByText("Confirme que este endereço é seu.").waitFor();
      },
      loading: async ({ page }) => {
        await see(page, `/confirm/${newSecret()}`);
        await page.getByLabel("Senha").fill("chuva miúda no telhado");
        await hold(page, "**/api/dashboard/v1/confirm");
        await page.keyboard.press("Enter");
        await page.getByText("Confirmando…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, `/confirm/${newSecret()}`);
        await page.getByLabel("Senha").fill("chuva miúda no telhado");
        await page.keyboard.press("Enter");
        await page.getByText("Este link não abre mais").waitFor();
      },
    },
  },
  "reset-password": {
    guest: true,
    scenes: {
      empty: ({ page }) => see(page, `/reset/${newSecret()}`),
      full: async ({ page }) => {
        await see(page, `/reset/${newSecret()}`);
        await page.getByLabel("Nova senha").fill("curta");
        await page.keyboard.press("Enter");
        await page.getByText("Use 12 caracteres ou mais").waitFor();
      },
      loading: async ({ page }) => {
        await see(page, `/reset/${newSecret()}`);
        await page.getByLabel("Nova senha").fill("chuva miúda no telhado");
        await hold(page, "**/api/dashboard/v1/reset");
        await page.keyboard.press("Enter");
        await page.getByText("Salvando…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, `/reset/${newSecret()}`);
        await page.getByLabel("Nova senha").fill("chuva miúda no telhado");
        await page.keyboard.press("Enter");
        await page.getByText("Este link não abre mais").waitFor();
      },
    },
  },
  "operator-accounts": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/accounts?search=ninguem+com+esse+nome"),
      full: async ({ page }) => {
        for (const features of [[], ["cards"], ["cards", "cash_out"]] as const) {
          await makeAccount({ mode: "live", features: [...features] });
        }
        await seeAsStaff(page, "/operator/accounts?status=approved");
      },
      loading: async ({ page, seller }) => {
        await seeAsStaff(page, "/operator/accounts");
        await heldOnTheWay(page, `/operator/accounts/${await liveAccountOf(seller)}`, "/operator/accounts");
      },
      error: async ({ page, seller }) => {
        await spoilLiveAccount(seller);
        await seeAsStaff(page, `/operator/accounts?search=${seller.account.name.replace(" ", "+")}`);
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-account": {
    scenes: {
      empty: async ({ page, seller }) => {
        const id = await liveAccountOf(seller);
        await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { phone: null } }));
        await seeAsStaff(page, `/operator/accounts/${id}`);
      },
      full: async ({ page, seller }) => {
        const id = await liveAccountOf(seller);
        const data = { status: "approved", features: ["cards", "cash_out"], phone: "11987654321" } as const;
        await forAccount(id, (tx) =>
          tx.account.update({ where: { id }, data: { ...data, features: [...data.features] } }),
        );
        await giveDocumentOf(id, (await makeAccount({ mode: "live" })).accountId);
        await seeAsStaff(page, `/operator/accounts/${id}`);
      },
      loading: async ({ page, seller }) => {
        const path = `/operator/accounts/${await liveAccountOf(seller)}`;
        await seeAsStaff(page, `/operator/accounts?search=${seller.account.name.replace(" ", "+")}`);
        const link = await pointAt(page, path);
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await spoilLiveAccount(seller);
        await seeAsStaff(page, `/operator/accounts/${await liveAccountOf(seller)}`);
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-mails": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/mails?search=ninguem@example.com"),
      full: async ({ page, seller }) => {
        const to = { email: `${seller.accountId}@example.com`, locale: "pt-BR" } as const;
        await mailed({ to, content: contents.confirm_address });
        await mailed({ to, content: contents.webhook_failing, accountId: seller.accountId, mode: "sandbox" });
        await mailed({ to, content: contents.split_invited }, { status: "exhausted", error: "recipient_refused" });
        const nextAttemptAt = new Date(Date.now() + 3_600_000);
        await mailed({ to }, { status: "failed", error: "unreachable", attempts: 3, nextAttemptAt });
        await mailed({ to, content: contents.reset_password }, { status: "sent", sentBy: "smtp", sealedContent: null });
        await seeAsStaff(page, `/operator/mails?search=${to.email}`);
      },
      loading: ({ page }) => heldOnTheWayOfStaff(page, "/operator/accounts", "/operator/mails"),
      error: async ({ page }) => {
        const { recipient } = await mailed({}, { createdAt: "infinity" });
        await seeAsStaff(page, `/operator/mails?search=${recipient}`);
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-unanswered": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/unanswered?page=400"),
      full: async ({ page, seller }) => {
        const since = new Date(Date.now() - 3 * 86_400_000);
        const watch = { provider: "simulator", kind: "payment", id: seller.accountId, askAt: null };
        await prisma().watch.create({ data: { ...watch, unansweredSince: since } });
        await seeAsStaff(page, "/operator/unanswered");
        await page.getByText("Registro do provedor").first().waitFor();
      },
      loading: ({ page }) => heldOnTheWayOfStaff(page, "/operator/accounts", "/operator/unanswered"),
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/unanswered?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-mail": {
    scenes: {
      empty: async ({ page }) => {
        const { id } = await mailed({ content: contents.reset_password }, sentBySmtp);
        await seeAsStaff(page, `/operator/mails/${id}`);
      },
      full: async ({ page, seller }) => {
        const mail = { content: contents.split_invited, accountId: seller.accountId, mode: "sandbox" } as const;
        const answer = "550 5.1.1 <ana@example.com>: Recipient address rejected: User unknown in local recipient table";
        const { id } = await mailed(mail, { status: "exhausted", error: "recipient_refused", answer, attempts: 1 });
        await seeAsStaff(page, `/operator/mails/${id}`);
      },
      loading: async ({ page }) => {
        const { id, recipient } = await mailed({}, sentBySmtp);
        const path = `/operator/mails/${id}`;
        await seeAsStaff(page, `/operator/mails?search=${recipient}`);
        const link = await pointAt(page, path);
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page }) => {
        const { id } = await mailed({}, { createdAt: "infinity" });
        await seeAsStaff(page, `/operator/mails/${id}`);
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  home: {
    scenes: {
      empty: ({ page }) => see(page, "/home"),
      full: async ({ page, seller }) => {
        await failingWebhook(seller);
        for (const amount of [132, 48.5, 19.99]) await paidDeposit(seller, { amount });
        await store(seller, 900_000_000);
        await prisma().user.update({ where: { email: seller.email }, data: { emailConfirmedAt: null } });
        await see(page, "/home");
        await page.getByText("83% do espaço de 30 dias está usado (1.024 MB)").waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/credentials", "/home"),
      error: async ({ page, seller }) => {
        // The account's clock is set to a time that no calendar has.
        await spoil(seller, "update accounts set clock_offset_ms = -11000000000000000 where id = $1::uuid");
        await seeBroken(page, "/home");
      },
    },
  },
  transactions: {
    scenes: {
      empty: ({ page }) => see(page, "/transactions"),
      full: async ({ page, seller }) => {
        await someSales(seller);
        await see(page, "/transactions");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/transactions"),
      error: async ({ page, seller }) => {
        await deposit(seller);
        await spoil(seller, "update transactions set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/transactions");
      },
    },
  },
  transaction: {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/transactions/${(await deposit(seller)).identifier}`),
      full: async ({ page, seller }) => {
        const other = await seller.recipient();
        const { identifier } = await paidTwice(seller, { split: [{ percentage: 30, user_id: other }] });
        await askRefund(seller, identifier, { amount: "40.00" });
        await see(page, `/transactions/${identifier}`);
        await page.getByText("Pagamento a mais").waitFor();
      },
      loading: async ({ page, seller }) => {
        const { identifier } = await deposit(seller);
        await see(page, "/transactions");
        await hold(page, `**/transactions/${identifier}**`);
        await follow(page, `/transactions/${identifier}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const { identifier } = await deposit(seller);
        await spoil(seller, "update transactions set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/transactions/${identifier}`);
      },
    },
  },
  "card-sale": {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/transactions/${await cardSale(seller, "4000000000009995")}`),
      full: async ({ page, seller }) => {
        const split = [{ percentage: 30, user_id: await seller.recipient() }];
        const id = await cardSale(seller, "5555555555554444", { installments: 3, split });
        await see(page, `/transactions/${id}`);
      },
      loading: async ({ page, seller }) => {
        const id = await cardSale(seller);
        await see(page, "/transactions");
        await hold(page, `**/transactions/${id}**`);
        await follow(page, `/transactions/${id}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const id = await cardSale(seller);
        await spoil(seller, "update transactions set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/transactions/${id}`);
      },
    },
  },
  "new-charge": {
    scenes: {
      empty: ({ page }) => see(page, "/charges/new"),
      full: ({ page }) => fillDeposit(page),
      loading: async ({ page }) => {
        await fillDeposit(page);
        await hold(page, "**/api/partner/v1/cash-in");
        await page.getByRole("button", { name: "Gerar cobrança" }).click();
        await page.getByText("Gerando…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, "/charges/new");
        await page.getByRole("button", { name: "Gerar cobrança" }).click();
        await page.getByText("Informe um valor a partir de").waitFor();
      },
    },
  },
  charge: {
    scenes: {
      full: async ({ page, seller }) => see(page, `/charges/${(await deposit(seller)).identifier}`),
      empty: async ({ page, seller }) => {
        const { identifier } = await deposit(seller);
        await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/expire`);
        await see(page, `/charges/${identifier}`);
      },
      loading: async ({ page, seller }) => {
        await see(page, `/charges/${(await deposit(seller)).identifier}`);
        await hold(page, "**/api/partner/v1/sandbox/pix/**");
        await page.getByRole("button", { name: "Simular pagamento" }).click();
      },
      error: async ({ page, seller }) => {
        const { identifier } = await deposit(seller);
        await spoil(seller, "update transactions set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/charges/${identifier}`);
      },
    },
  },
  credentials: {
    scenes: {
      full: async ({ page, seller }) => {
        await seller.api("POST", "/api/partner/v1/credentials", { name: "ERP" });
        await see(page, "/credentials");
      },
      empty: async ({ page, seller }) => {
        await spoil(seller, "update credentials set revoked_at = now() where account_id = $1::uuid");
        await see(page, "/credentials");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/credentials"),
      error: async ({ page, seller }) => {
        await spoil(seller, "update credentials set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/credentials");
      },
    },
  },
  "public-key": {
    scenes: {
      empty: ({ page }) => see(page, "/public-key"),
      full: async ({ page, seller }) => {
        for (const origin of ["http://localhost:3000", "https://pagar.loja.example.com", "https://loja.example.com"]) {
          await seller.api("POST", "/api/partner/v1/public-key/domains", { origin });
        }
        await see(page, "/public-key");
        await page.getByLabel("Origem").fill("https://www.loja.example.com");
        await page.getByRole("button", { name: "Testar" }).click();
        await page.getByText("Não está entre os domínios cadastrados").waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/public-key"),
      error: async ({ page, seller }) => {
        await seller.api("POST", "/api/partner/v1/public-key/domains", { origin: "https://loja.example.com" });
        await spoil(seller, "update card_domains set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/public-key");
      },
    },
  },
  fields: {
    scenes: {
      empty: ({ page, seller }) => seeShop(page, seller),
      full: async ({ page, seller }) => {
        await seeShop(page, seller);
        await typeCard(page);
      },
      loading: async ({ page, seller }) => {
        await seeShop(page, seller);
        await typeCard(page);
        await hold(page, "**/api/public/v1/card-tokens");
        await page.getByRole("button", { name: "Pagar" }).click();
        await page.getByText("Pagando…").waitFor();
      },
      error: async ({ page, seller }) => {
        await seeShop(page, seller);
        await typeCard(page, "4111111111111112");
        await page.getByRole("button", { name: "Pagar" }).click();
        await page.getByText("Confira os dados do cartão.").waitFor();
      },
    },
  },
  products: {
    scenes: {
      empty: ({ page }) => see(page, "/products"),
      full: async ({ page, seller }) => {
        const id = await product(seller, { description: "Um livro por mês, escolhido por quem lê" });
        await image(seller, id);
        await product(seller, { name: "Café da serra", status: "inactive" });
        await see(page, "/products");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/products"),
      error: async ({ page, seller }) => {
        await product(seller);
        await spoil(seller, "update products set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/products");
      },
    },
  },
  product: {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/products/${await product(seller)}`),
      full: async ({ page, seller }) => {
        const id = await product(seller, { description: "Um livro por mês, escolhido por quem lê" });
        await image(seller, id);
        await plan(seller, id, { is_default: true });
        await plan(seller, id, {
          name: "Anual",
          amount: "1299.00",
          periodicity_days: 365,
          billing_method: "credit_card",
        });
        await plan(seller, id, { name: "Mensal antigo", status: "inactive", billing_method: "pix_automatico" });
        await see(page, `/products/${id}`);
      },
      loading: async ({ page, seller }) => {
        const id = await product(seller);
        await see(page, "/products");
        await hold(page, `**/products/${id}**`);
        await follow(page, `/products/${id}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const id = await product(seller);
        await spoil(seller, "update products set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/products/${id}`);
      },
    },
  },
  ...privacyPages,
  ...refundPages,
  ...withdrawalPages,
  ...auditPages,
  ...balancePages,
  ...settingsPages,
  ...peoplePages,
  ...splitPages,
  ...subscriptionPages,
  ...checkoutPages,
  ...subscriptionDetailPages,
  webhooks: {
    scenes: {
      empty: ({ page }) => see(page, "/webhooks"),
      full: async ({ page, seller }) => {
        await webhook(seller, "Loja", "transaction");
        await webhook(seller, "Contabilidade", "cashin");
        await see(page, "/webhooks");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/webhooks"),
      error: async ({ page, seller }) => {
        await webhook(seller, "Loja", "transaction");
        await spoil(seller, "update webhooks set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/webhooks");
      },
    },
  },
  webhook: {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/webhooks/${await webhook(seller, "Loja", "transaction")}`),
      full: async ({ page, seller }) => {
        const id = await failingWebhook(seller);
        await paidDeposit(seller);
        await delivered(seller, id);
        await see(page, `/webhooks/${id}`);
      },
      loading: async ({ page, seller }) => {
        const id = await webhook(seller, "Loja", "transaction");
        await see(page, "/webhooks");
        await hold(page, `**/webhooks/${id}**`);
        await follow(page, `/webhooks/${id}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const id = await webhook(seller, "Loja", "transaction");
        await spoil(seller, "update webhooks set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/webhooks/${id}`);
      },
    },
  },
};

/** Gives a product an image that is wider than high. */
const image = (seller: Seller, productId: string) =>
  seller.api("POST", `/api/partner/v1/products/${productId}/image`, aPng(400, 300));

const sentBySmtp = { status: "sent", sentBy: "smtp", sentAt: new Date(), sealedContent: null, attempts: 1 } as const;

/** Writes a mail and then what became of it; without that the server's worker takes it. */
async function mailed(
  overrides: Partial<Mail>,
  { createdAt, ...became }: Omit<Prisma.MailUpdateInput, "createdAt"> & { createdAt?: "infinity" } = {},
) {
  const mail = aMail(overrides);
  return asSystem(async (tx) => {
    await writeMail(tx, mail);
    const where = { intent: mail.intent };
    if (Object.keys(became).length > 0) await tx.mail.update({ where, data: { nextAttemptAt: null, ...became } });
    const row = await tx.mail.findUniqueOrThrow({ where });
    if (createdAt) await tx.$executeRaw`update mails set created_at = 'infinity' where id = ${row.id}::uuid`;
    return row;
  });
}

async function heldOnTheWayOfStaff(page: Page, from: string, to: string) {
  await page.context().addCookies([await staffCookie()]);
  await heldOnTheWay(page, from, to);
}

/** Gives an account the CPF or CNPJ of another one. */
async function giveDocumentOf(known: string, id: string) {
  const { document } = await forAccount(known, (tx) => tx.account.findUniqueOrThrow({ where: { id: known } }));
  await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { document } }));
}

/** Gives the live account a time of creation that no calendar has. */
async function spoilLiveAccount(seller: Seller) {
  const id = await liveAccountOf(seller);
  await forAccount(id, (tx) => tx.$executeRaw`update accounts set created_at = 'infinity' where id = ${id}::uuid`);
}

/** Opens a shop of the seller with our card fields. */
async function seeShop(page: Page, seller: Seller) {
  const shop = await openShop(seller);
  page.once("close", shop.close);
  await see(page, shop.origin);
  await fieldsIn(page).getByLabel("Número do cartão").waitFor();
}

/** Bytes that a seller stored yesterday. */
const store = ({ accountId }: Seller, bytes: number) =>
  forAccount(accountId, (tx) =>
    tx.accountStorage.create({ data: { accountId, day: new Date(Date.now() - 86_400_000), bytes } }),
  );

async function fillSignIn(page: Page, path = "/sign-in") {
  await see(page, path);
  await page.getByLabel("E-mail").fill("ana@exemplo.com.br");
  await page.getByLabel("Senha").fill("uma senha qualquer");
}

async function fillSignUp(page: Page, document: string, email = "ana@exemplo.com.br") {
  await see(page, "/sign-up");
  await page.getByLabel("Nome da empresa").fill("Ateliê Aurora");
  await page.getByLabel("CNPJ ou CPF").fill(document);
  await page.getByLabel("Seu nome").fill("Ana Prado");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill("chuva miúda no telhado");
}

/** Signs the seller's person in, whose address is not confirmed, and asks for the mail at home. Returns its link. */
async function linkOfUnconfirmed(page: Page, { accountId, email }: Seller) {
  await prisma().user.update({ where: { email }, data: { emailConfirmedAt: null } });
  await page.context().addCookies([await sessionCookie(accountId)]);
  await see(page, "/home");
  await page.getByRole("button", { name: "Enviar o e-mail de confirmação" }).click();
  return mailedLink(email, "confirm_address");
}

async function fillDeposit(page: Page) {
  await see(page, "/charges/new");
  await page.getByLabel("Valor").fill("132,00");
  await page.getByLabel("Descrição").fill("Assinatura da revista");
}

/** A webhook without a receiver: port 9 of this machine refuses. */
const failingWebhook = (seller: Seller) => webhook(seller, "Loja", "transaction", "http://127.0.0.1:9/hooks");

async function webhook(seller: Seller, title: string, event: string, url = "https://example.com/hooks") {
  const body = { title, url, event, trigger_all_products: true };
  return (await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body)).id;
}

async function delivered(seller: Seller, id: number) {
  for (let tries = 0; tries < 50; tries++) {
    const { data } = await seller.api<Deliveries>("GET", `/api/partner/v1/webhooks/${id}/deliveries`);
    if (data.length >= 2 && data.every(({ attempt }) => attempt > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

type Deliveries = { data: { attempt: number }[] };

async function someSales(seller: Seller) {
  await paidDeposit(seller, { amount: 1250.9 });
  await paidDeposit(seller, { amount: 19.99, client: { name: "Bento Reis", email: "bento@example.com" } });
  const { identifier } = await deposit(seller, { amount: 75, description: null });
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/expire`);
  await cardSale(seller, "4111111111111111", { amount: 349.9, installments: 3 });
  await cardSale(seller, "4000000000000002", { amount: 89 });
  await deposit(seller, { amount: 48.5, client: { name: "Clara Nunes de Albuquerque e Silva Filha" } });
}
