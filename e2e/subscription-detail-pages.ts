import { typeCardIn } from "./checkout";
import { choose, makeSeller, type Page, type Seller } from "./fixtures";
import { accept, invite, plan, product } from "./splits";
import { active, advance, byCard, cardIn, enrol, overdueByCard, seeSubscription } from "./subscription-lives";
import { hold, type Scenes, seeBroken, spoil } from "./visits";

const PLANS = "**/api/partner/v1/products/*/subscription-plans**";
const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function enrolled(seller: Seller, overrides: object = {}) {
  const { data } = await plan(seller, await product(seller), overrides);
  return (await enrol(seller, data.token)).token;
}

async function overdue(seller: Seller) {
  const { token } = await active(seller);
  await advance(seller, 31);
  return token;
}

/** An active subscription beside a dearer plan with a recipient. */
async function beside(seller: Seller) {
  const made = await active(seller);
  const overrides = { name: "Mensal com entrega em casa e um encontro", amount: "129.90" };
  const { data } = await plan(seller, made.productId, overrides);
  const bento = await makeSeller();
  await accept(bento, await invite(seller, data.token, bento.email, "17.50"));
  await plan(seller, made.productId, { name: "Anual", amount: "399.00", periodicity_days: 365 });
  return made.token;
}

async function openChange(page: Page, token: string) {
  await seeSubscription(page, token);
  await choose(page, "Mudar de plano");
}

/** The page of a subscription and its dialogs. */
export const subscriptionDetailPages: Scenes = {
  subscription: {
    scenes: {
      empty: async ({ page, seller }) => seeSubscription(page, await enrolled(seller)),
      full: async ({ page, seller }) => seeSubscription(page, await overdue(seller)),
      loading: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller)).token);
        await hold(page, "**/api/partner/v1/sandbox/clock/advance");
        await click(page, "Avançar um dia");
        await page.getByText("O relógio está avançando.").waitFor();
      },
      error: async ({ page, seller }) => {
        const token = await enrolled(seller);
        await spoil(seller, "update subscriptions set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/subscriptions/${token}`);
      },
    },
  },
  "subscription-mandate": {
    scenes: {
      empty: async ({ page, seller }) => seeSubscription(page, await enrolled(seller, automatic)),
      full: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller, automatic)).token);
        await page.getByText("Autorizada", { exact: true }).waitFor();
      },
      loading: async ({ page, seller }) => {
        await seeSubscription(page, await enrolled(seller, automatic));
        await hold(page, "**/mandate");
        await click(page, "Recusar o Pix Automático");
      },
      error: async ({ page, seller }) => {
        await seeSubscription(page, await enrolled(seller, automatic));
        await page.route("**/mandate", (route) => route.abort());
        await click(page, "Recusar o Pix Automático");
        await page.getByRole("status").filter({ hasText: /./ }).first().waitFor();
      },
    },
  },
  "subscription-cancel": {
    scenes: {
      empty: async ({ page, seller }) => {
        await seeSubscription(page, await enrolled(seller));
        await choose(page, "Cancelar assinatura");
        await page.getByRole("button", { name: "Cancelar agora" }).waitFor();
      },
      full: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller)).token);
        await choose(page, "Cancelar assinatura");
        await page.getByText("A cobrança seguinte").waitFor();
      },
      loading: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller)).token);
        await choose(page, "Cancelar assinatura");
        await hold(page, "**/cancel");
        await page.getByLabel("Agora").check();
        await click(page, "Cancelar agora");
      },
      error: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller)).token);
        await choose(page, "Cancelar assinatura");
        await page.route("**/cancel", (route) => route.abort());
        await click(page, "Cancelar no fim do período");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
    },
  },
  "subscription-pause": {
    scenes: {
      empty: async ({ page, seller }) => openPause(page, (await active(seller)).token),
      full: async ({ page, seller }) => {
        await openPause(page, (await active(seller)).token);
        await page.getByLabel("Volta em").fill("2030-02-01");
        await page.getByText("Volta em 1 fev 2030").waitFor();
      },
      loading: async ({ page, seller }) => {
        await openPause(page, (await active(seller)).token);
        await hold(page, "**/pause");
        await click(page, "Pausar assinatura");
      },
      error: async ({ page, seller }) => {
        await openPause(page, (await active(seller)).token);
        await page.getByLabel("Volta em").fill("2020-02-01");
        await click(page, "Pausar assinatura");
        await page.getByText("Escolha um dia de amanhã em diante.").waitFor();
      },
    },
  },
  "subscription-code": {
    scenes: {
      empty: async ({ page, seller }) => openResend(page, await enrolled(seller)),
      full: async ({ page, seller }) => {
        await openResend(page, await enrolled(seller));
        await click(page, "Gerar código");
        await page.getByRole("heading", { name: "Novo código", exact: true }).waitFor();
      },
      loading: async ({ page, seller }) => {
        await openResend(page, await enrolled(seller));
        await hold(page, "**/resend-charge");
        await click(page, "Gerar código");
      },
      error: async ({ page, seller }) => {
        await openResend(page, await enrolled(seller));
        await page.route("**/resend-charge", (route) => route.abort());
        await click(page, "Gerar código");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
    },
  },
  "subscription-card": {
    scenes: {
      empty: async ({ page, seller }) => openCard(page, await byCard(seller)),
      full: async ({ page, seller }) => {
        await openCard(page, await overdueByCard(seller));
        await typeCardIn(page, "4111111111111111", cardIn(page));
      },
      loading: async ({ page, seller }) => {
        await seeSubscription(page, await byCard(seller));
        await hold(page, "**/fields.js"); // the frame itself would give up after a while
        await choose(page, "Trocar cartão");
        await page.getByText("Abrindo os campos do cartão").waitFor();
      },
      error: async ({ page, seller }) => {
        await openCard(page, await byCard(seller));
        await typeCardIn(page, "4111111111111111", cardIn(page));
        await page.route("**/card", (route) => route.abort());
        await sendCard(page);
        await page.getByRole("dialog").getByRole("alert").waitFor();
      },
    },
  },
  "subscription-plan": {
    scenes: {
      empty: async ({ page, seller }) => {
        await openChange(page, (await active(seller)).token);
        await page.getByText("Este produto não tem outro plano").waitFor();
      },
      full: async ({ page, seller }) => {
        await openChange(page, await beside(seller));
        await page.getByLabel("Novo plano").selectOption({ index: 1 });
        await page.getByText("Diferença a pagar").waitFor();
      },
      loading: async ({ page, seller }) => {
        const { token } = await active(seller);
        await seeSubscription(page, token);
        await hold(page, PLANS);
        await choose(page, "Mudar de plano");
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await seeSubscription(page, (await active(seller)).token);
        await page.route(PLANS, (route) => route.abort());
        await choose(page, "Mudar de plano");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
};

async function openCard(page: Page, token: string) {
  await seeSubscription(page, token);
  await choose(page, "Trocar cartão");
  await cardIn(page).getByLabel("Número do cartão").waitFor();
}

const sendCard = (page: Page) =>
  page
    .getByRole("dialog")
    .getByRole("button", { name: /^Trocar cartão/ })
    .click();

const automatic = { billing_method: "pix_automatico" };

async function openPause(page: Page, token: string) {
  await seeSubscription(page, token);
  await choose(page, "Pausar");
  await page.getByLabel("Volta em").waitFor();
}

async function openResend(page: Page, token: string) {
  await seeSubscription(page, token);
  await click(page, "Gerar novo código");
  await page.getByRole("button", { name: "Gerar código", exact: true }).waitFor();
}
