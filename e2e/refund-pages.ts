import { type Page, paidDeposit, type Seller, staffCookie } from "./fixtures";
import { askRefund, refunded, refundedBare } from "./refunds";
import { heldOnTheWay, hold, pointAt, type Scenes, see, seeAsStaff, seeBroken, spoil } from "./visits";

/** Breaks a refund that has ended, because one that waits would break the staff's list of all sellers. */
async function broken(seller: Seller): Promise<string> {
  const { refund } = await refunded(seller);
  await cancel(seller, refund.code);
  await spoil(seller, "update refunds set created_at = 'infinity' where account_id = $1::uuid");
  return refund.code;
}

const cancel = (seller: Seller, code: string) => seller.api("POST", `/api/partner/v1/refunds/${code}/cancel`, {});

/** The pages of refunds, of sellers and of the operator's staff. */
export const refundPages: Scenes = {
  refunds: {
    scenes: {
      empty: ({ page }) => see(page, "/refunds"),
      full: async ({ page, seller }) => {
        const { refund, sale } = await refunded(seller);
        await cancel(seller, refund.code);
        await askRefund(seller, sale);
        await see(page, "/refunds");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/refunds"),
      error: async ({ page, seller }) => {
        await broken(seller);
        await seeBroken(page, "/refunds");
      },
    },
  },
  refund: {
    scenes: {
      empty: async ({ page, seller }) => see(page, `/refunds/${(await refundedBare(seller)).code}`),
      full: async ({ page, seller }) => see(page, `/refunds/${(await refunded(seller)).refund.code}`),
      loading: async ({ page, seller }) => {
        const path = `/refunds/${(await refunded(seller)).refund.code}`;
        await see(page, "/refunds");
        const link = await pointAt(page, path);
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => seeBroken(page, `/refunds/${await broken(seller)}`),
    },
  },
  "refund-form": {
    scenes: {
      full: async ({ page, seller }) => {
        const { identifier } = await paidDeposit(seller, {
          split: [{ percentage: 30, user_id: await seller.recipient() }],
        });
        await openForm(page, identifier);
      },
      empty: async ({ page, seller }) => {
        await openForm(page, (await paidDeposit(seller)).identifier);
        await page.getByLabel("Valor do estorno").fill("");
        await page.getByText("para ver o que o estorno faz").waitFor();
      },
      loading: async ({ page, seller }) => {
        await openForm(page, (await paidDeposit(seller)).identifier);
        await hold(page, "**/api/partner/v1/transaction/**");
        await page.getByLabel("Motivo").selectOption("fraud");
        await page.getByRole("dialog").getByRole("button", { name: "Pedir estorno" }).click();
      },
      error: async ({ page, seller }) => {
        await openForm(page, (await paidDeposit(seller)).identifier);
        await page.getByRole("dialog").getByRole("button", { name: "Pedir estorno" }).click();
        await page.getByText("Escolha o motivo do estorno.").waitFor();
      },
    },
  },
  "operator-refunds": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/refunds?mode=live"),
      full: async ({ page, seller }) => {
        await refunded(seller);
        await seeAsStaff(page, "/operator/refunds?mode=sandbox");
      },
      loading: async ({ page }) => {
        await page.context().addCookies([await staffCookie()]);
        await heldOnTheWay(page, "/operator/accounts", "/operator/refunds");
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/refunds?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-sales": {
    scenes: {
      empty: ({ page, seller }) => seeAsStaff(page, salesOf(seller)),
      full: async ({ page, seller }) => {
        await refunded(seller);
        await paidDeposit(seller, { amount: 1250.9 });
        await seeAsStaff(page, salesOf(seller));
      },
      loading: async ({ page, seller }) => {
        await paidDeposit(seller);
        await seeAsStaff(page, salesOf(seller));
        await hold(page, "**/api/operator/v1/accounts/*/transactions**");
        await page.getByLabel("Buscar nas vendas").first().fill("ana@exemplo.com.br");
        await page.keyboard.press("Enter");
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await seeAsStaff(page, `${salesOf(seller)}?page=1000000`);
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-sale": {
    scenes: {
      empty: async ({ page, seller }) => {
        const { identifier } = await paidDeposit(seller, { client: undefined, description: undefined });
        await seeAsStaff(page, saleOf(seller, identifier));
      },
      full: async ({ page, seller }) => seeAsStaff(page, saleOf(seller, (await refunded(seller)).sale)),
      loading: async ({ page, seller }) => {
        const { sale } = await refunded(seller);
        await seeAsStaff(page, salesOf(seller));
        const link = await pointAt(page, saleOf(seller, sale));
        await hold(page, `**${saleOf(seller, sale)}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const { identifier } = await paidDeposit(seller);
        await spoil(seller, "update transactions set created_at = 'infinity' where account_id = $1::uuid");
        await page.context().addCookies([await staffCookie()]);
        await seeBroken(page, saleOf(seller, identifier));
      },
    },
  },
  "operator-refund-form": {
    scenes: {
      full: async ({ page, seller }) => {
        const split = [{ percentage: 30, user_id: await seller.recipient() }];
        await openFormAsStaff(page, seller, (await paidDeposit(seller, { split })).identifier);
      },
      empty: async ({ page, seller }) => {
        await openFormAsStaff(page, seller, (await paidDeposit(seller)).identifier);
        await page.getByLabel("Valor do estorno").fill("");
        await page.getByText("para ver o que o estorno faz").waitFor();
      },
      loading: async ({ page, seller }) => {
        await openFormAsStaff(page, seller, (await paidDeposit(seller)).identifier);
        await hold(page, "**/refund");
        await page.getByLabel("Motivo").selectOption("fraud");
        await page.getByLabel("Detalhes").fill("O titular do cartão falou com a operação.");
        await page.getByRole("dialog").getByRole("button", { name: "Pedir estorno" }).click();
      },
      error: async ({ page, seller }) => {
        await openFormAsStaff(page, seller, (await paidDeposit(seller)).identifier);
        await page.getByRole("dialog").getByRole("button", { name: "Pedir estorno" }).click();
        await page.getByText("Escreva ao vendedor por que a operação pede este estorno.").waitFor();
      },
    },
  },
  "operator-refund": {
    scenes: {
      empty: async ({ page, seller }) => {
        const { code } = await refundedBare(seller);
        await seeAsStaff(page, `/operator/refunds/${seller.accountId}/${code}`);
      },
      full: async ({ page, seller }) => {
        const { refund } = await refunded(seller);
        await seeAsStaff(page, `/operator/refunds/${seller.accountId}/${refund.code}`);
      },
      loading: async ({ page, seller }) => {
        const { refund } = await refunded(seller);
        await seeAsStaff(page, `/operator/refunds/${seller.accountId}/${refund.code}`);
        await page.getByRole("button", { name: "Recusar…" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Categoria").selectOption("other");
        await dialog.getByLabel("Motivo").fill("Faltou o comprovante de envio.");
        await hold(page, "**/reject");
        await dialog.getByRole("button", { name: "Recusar estorno" }).click();
      },
      error: async ({ page, seller }) => {
        const { refund } = await refunded(seller);
        await seeAsStaff(page, `/operator/refunds/${seller.accountId}/${refund.code}`);
        await page.getByRole("button", { name: "Recusar…" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Recusar estorno" }).click();
        await page.getByText("Escolha por que o pedido é recusado.").waitFor();
      },
    },
  },
};

async function openForm(page: Page, sale: string) {
  await see(page, `/transactions/${sale}`);
  await page.getByRole("button", { name: "Estornar" }).click();
  await page.getByRole("dialog").waitFor();
}

const salesOf = ({ accountId }: Seller) => `/operator/accounts/${accountId}/transactions`;
const saleOf = (seller: Seller, sale: string) => `${salesOf(seller)}/${sale}`;

async function openFormAsStaff(page: Page, seller: Seller, sale: string) {
  await seeAsStaff(page, saleOf(seller, sale));
  await page.getByRole("button", { name: "Estornar", exact: true }).click();
  await page.getByRole("dialog").waitFor();
}
