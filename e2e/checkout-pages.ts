import { newId } from "@/lib/ids";
import { aPng } from "@/lib/testing/pictures";
import { begin, cardIn, expireNow, fillPayer, link, payerPage, paymentOf, payNow, typeCardIn } from "./checkout";
import { cardToken, expect, type Page, paidDeposit, payInFull, type Seller } from "./fixtures";
import { plan, product } from "./splits";
import { advanceDays, enroll, statusOf, subscribed } from "./subscriptions";
import { follow, heldOnTheWay, hold, type Scenes, see, seeBroken, spoil } from "./visits";

const pay = (page: Page) => page.getByRole("button", { name: /Gerar código Pix|Pagar R/ }).click();

/** A link of a product with its picture. */
async function pictured(seller: Seller, overrides: object = {}) {
  const id = await product(seller, { name: "Oficina de cerâmica" });
  await seller.api("POST", `/api/partner/v1/products/${id}/image`, aPng(200, 200));
  return link(seller, { product: id, description: "Sábado, 28 de novembro, das 9h às 13h", ...overrides });
}

const planOf = async (seller: Seller, billing_method: string) =>
  (await plan(seller, await product(seller), { billing_method })).data.token;

/** The payer's page of a subscription whose card was refused. */
async function overdueByCard(seller: Seller): Promise<string> {
  const device = { ip: "203.0.113.7", user_agent: "test", page_url: "https://loja.example.com/assinar" };
  const given = async (number: string) => ({ card: { token: await cardToken(seller, number) }, device });
  const { token } = await enroll(seller, await planOf(seller, "credit_card"), await given("4111111111111111"));
  await seller.api("PUT", `/api/partner/v1/subscriptions/${token}/card`, await given("4000000000000002"));
  await advanceDays(seller, 31);
  await expect.poll(() => statusOf(seller, token)).toBe("overdue");
  return payerPage(seller, token);
}

const linkPaid = async (seller: Seller, token: string) => {
  const payment = await begin(seller, token);
  await payInFull(seller, payment); // until then, this payer would be shown the same code again
  return payment;
};

/** The checkout, and payment links in the dashboard. */
export const checkoutPages: Scenes = {
  checkout: {
    guest: true,
    scenes: {
      empty: async ({ page, seller }) => see(page, `/checkout/${await pictured(seller)}`),
      full: async ({ page, seller }) => {
        await see(page, `/checkout/${await pictured(seller)}`);
        await fillPayer(page);
        await page.getByLabel("Cartão").check();
        await cardIn(page).getByLabel("Número do cartão").fill("4111111111111111");
      },
      loading: async ({ page, seller }) => {
        const token = await link(seller);
        await see(page, `/checkout/${token}`);
        await fillPayer(page);
        await page.route(`**/checkout/${token}`, () => {});
        await pay(page);
        await page.getByText("Um momento…").waitFor();
      },
      error: async ({ page, seller }) => {
        await see(page, `/checkout/${await link(seller, { collect_address: true })}`);
        await fillPayer(page);
        await page.getByLabel("CPF ou CNPJ").fill("52998224724");
        for (const name of ["CEP", "Rua ou avenida", "Número", "Bairro", "Cidade", "UF"]) {
          await page.getByLabel(name, { exact: true }).fill("1");
        }
        await pay(page);
        await page.getByText("O documento não confere").waitFor();
      },
    },
  },
  "checkout-payment": {
    guest: true,
    scenes: {
      full: async ({ page, seller }) => {
        const token = await link(seller);
        await see(page, `/checkout/${token}?payment=${await begin(seller, token)}`);
      },
      empty: async ({ page, seller }) => {
        const token = await link(seller);
        const payment = await begin(seller, token);
        await expireNow(seller, payment);
        await see(page, `/checkout/${token}?payment=${payment}`);
      },
      loading: async ({ page, seller }) => {
        const token = await link(seller);
        const payment = await begin(seller, token);
        await page.route("**/status?**", () => {});
        await page.goto(`/checkout/${token}?payment=${payment}`);
        await page.getByText("Aguardando o pagamento").waitFor();
      },
      error: async ({ page, seller }) => {
        const token = await link(seller);
        await page.route("**/status?**", (route) => route.fulfill({ status: 429, json: {} }));
        await page.goto(`/checkout/${token}?payment=${await begin(seller, token)}`);
        await page.getByText("Sem conexão. Continuamos tentando.").waitFor();
      },
    },
  },
  "checkout-ended": {
    guest: true,
    scenes: {
      full: async ({ page, seller }) => {
        const token = await link(seller);
        await see(page, `/checkout/${token}?payment=${await linkPaid(seller, token)}`);
        await page.getByRole("heading", { name: "Pago" }).waitFor();
      },
      empty: async ({ page, seller }) => {
        const token = await pictured(seller, { max_payments: 1 });
        const payment = await linkPaid(seller, token);
        await page.goto(`/checkout/${token}?payment=${payment}`);
        await page.getByRole("heading", { name: "Pago" }).waitFor();
        await see(page, `/checkout/${token}`);
      },
      loading: async ({ page, seller }) => {
        const token = await link(seller);
        const payment = await begin(seller, token);
        await expireNow(seller, payment);
        await see(page, `/checkout/${token}?payment=${payment}`);
        await page.route(`**/checkout/${token}?payment=*`, () => {});
        await page.getByRole("button", { name: "Gerar novo código" }).click();
        await page.getByText("Um momento…").waitFor();
      },
      error: async ({ page }) => {
        await page.goto(`/checkout/${newId()}`);
        await page.getByRole("heading", { name: "Página não encontrada" }).waitFor();
      },
    },
  },
  "checkout-plan": {
    guest: true,
    scenes: {
      empty: async ({ page, seller }) => see(page, `/checkout/${await planOf(seller, "pix_automatico")}`),
      full: async ({ page, seller }) => {
        await see(page, `/checkout/${await planOf(seller, "pix_automatico")}`);
        await fillPayer(page);
        await pay(page);
        await page.getByRole("heading", { name: "Pague com Pix" }).waitFor();
        await payNow(seller, paymentOf(page));
        await page.getByText("Pix Automático autorizado").waitFor();
      },
      loading: async ({ page, seller }) => {
        const token = await planOf(seller, "credit_card");
        await page.route("**/fields.js", () => {});
        await page.goto(`/checkout/${token}`, { waitUntil: "commit" }); // the load event waits for the script
        await page.getByText("Abrindo os campos do cartão…").waitFor();
      },
      error: async ({ page, seller }) => {
        await see(page, `/checkout/${await planOf(seller, "credit_card")}`);
        await fillPayer(page);
        await typeCardIn(page, "4000000000000002");
        await pay(page);
        await page.getByText("O cartão foi recusado").waitFor();
      },
    },
  },
  "checkout-subscription": {
    guest: true,
    scenes: {
      empty: async ({ page, seller }) => {
        const { token } = await enroll(seller, await planOf(seller, "qr_code"));
        await see(page, payerPage(seller, token));
      },
      full: async ({ page, seller }) => {
        await see(page, await overdueByCard(seller));
        await page.getByText("Há uma cobrança de").waitFor();
      },
      loading: async ({ page, seller }) => {
        const token = await subscribed(seller, await planOf(seller, "qr_code"));
        await see(page, `${payerPage(seller, token)}?do=cancel`);
        await page.route("**/checkout/subscription/**", () => {});
        await page.getByRole("button", { name: "Cancelar a assinatura" }).click();
        await page.getByText("Um momento…").waitFor();
      },
      error: async ({ page, seller }) => {
        await see(page, `${await overdueByCard(seller)}?do=card`);
        await cardIn(page).getByLabel("Número do cartão").waitFor();
        await page.getByRole("button", { name: "Trocar e pagar" }).click();
        await cardIn(page).getByText("Informe o número do cartão.").waitFor();
      },
    },
  },
  "payment-links": {
    scenes: {
      empty: ({ page }) => see(page, "/payment-links"),
      full: async ({ page, seller }) => {
        const full = await link(seller, { max_payments: 1, description: "Aula particular" });
        await linkPaid(seller, full);
        const off = await link(seller, { amount: 49.9, description: "Rifa da escola" });
        await seller.api("PATCH", `/api/partner/v1/payment-links/${off}`, { status: "inactive" });
        await pictured(seller, { amount: 349.9, max_payments: 12 });
        await see(page, "/payment-links");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/payment-links"),
      error: async ({ page, seller }) => {
        await link(seller);
        await spoil(seller, "update payment_links set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/payment-links");
      },
    },
  },
  "payment-link": {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/payment-links/${await link(seller)}`),
      full: async ({ page, seller }) => {
        const token = await pictured(seller, { max_payments: 12, collect_address: false });
        const payments = [await linkPaid(seller, token), await linkPaid(seller, token)];
        await paidDeposit(seller); // a payment of nothing of the link
        for (const payment of payments) {
          await page.goto(`/checkout/${token}?payment=${payment}`);
          await page.getByRole("heading", { name: "Pago" }).waitFor();
        }
        await seller.api("PATCH", `/api/partner/v1/payment-links/${token}`, { max_payments: 1 });
        await see(page, `/payment-links/${token}`);
        await page.getByRole("region", { name: "Pagamentos além do limite" }).waitFor();
      },
      loading: async ({ page, seller }) => {
        const token = await link(seller);
        await see(page, "/payment-links");
        await hold(page, `**/payment-links/${token}**`);
        await follow(page, `/payment-links/${token}`);
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const token = await link(seller);
        await spoil(seller, "update payment_links set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, `/payment-links/${token}`);
      },
    },
  },
  "payment-link-form": {
    scenes: {
      empty: async ({ page }) => {
        await see(page, "/payment-links");
        await page.getByRole("button", { name: "Novo link" }).click();
        await page.getByRole("dialog").getByLabel("Valor").waitFor();
      },
      full: async ({ page, seller }) => {
        const id = await product(seller, { name: "Oficina de cerâmica" });
        const token = await link(seller, { product: id, max_payments: 3, expires_at: "2099-12-31T23:59:59-03:00" });
        await see(page, `/payment-links/${token}`);
        await page.getByRole("button", { name: "Editar" }).click();
        await page.getByRole("dialog").getByLabel("Produto").waitFor();
      },
      loading: async ({ page }) => {
        await see(page, "/payment-links");
        await page.getByRole("button", { name: "Novo link" }).click();
        await page.getByRole("dialog").getByLabel("Valor").fill("4990");
        await page.getByRole("dialog").getByLabel("Descrição").fill("Aula");
        await hold(page, "**/api/partner/v1/payment-links");
        await page.getByRole("button", { name: "Criar link" }).click();
      },
      error: async ({ page }) => {
        await see(page, "/payment-links");
        await page.getByRole("button", { name: "Novo link" }).click();
        await page.getByRole("dialog").getByLabel("Limite de pagamentos").fill("muitos");
        await page.getByRole("button", { name: "Criar link" }).click();
        await page.getByText("Use um número de 1 a 100.000.").waitFor();
      },
    },
  },
};
