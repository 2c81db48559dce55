import { actAs } from "@/lib/actor";
import { postAdjustment } from "@/lib/adjustments/post";
import { call } from "@/lib/testing/make";
import { liveAccountOf, type Page, type Seller } from "./fixtures";
import { refunded } from "./refunds";
import { heldOnTheWay, hold, type Scenes, see, seeAsStaff } from "./visits";

const REASON =
  "Taxa de outubro cobrada duas vezes: devolvemos a segunda, como combinado por telefone em 3 de novembro.";

/** Adjusts a balance as a person of the staff does. */
export const adjust = (accountId: string, direction: "credit" | "debit", amount: number, reason = REASON) =>
  actAs({ kind: "staff" }, () => postAdjustment({ accountId, direction, amount, reason }, call()));

/** The statement of a seller, and what the operator's staff does to its balance. */
export const balancePages: Scenes = {
  statement: {
    scenes: {
      empty: async ({ page, seller }) => {
        await see(page, `/${await liveAccountOf(seller)}/statement`);
        await page.getByText("Nada ainda mudou o seu saldo.").waitFor();
      },
      full: async ({ page, seller }) => {
        await refunded(seller);
        await adjust(seller.accountId, "credit", 1_250_90);
        await adjust(seller.accountId, "debit", 50_00, "Chargeback antigo.");
        await see(page, "/statement");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/statement"),
      error: async ({ page }) => {
        await see(page, "/statement?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "statement-months": {
    scenes: {
      empty: async ({ page, seller }) => {
        await see(page, `/${await liveAccountOf(seller)}/statement/months`);
        await page.getByText("Ainda não há um mês com lançamentos.").waitFor();
      },
      full: async ({ page, seller }) => {
        await refunded(seller);
        await adjust(seller.accountId, "debit", 50_00, "Chargeback antigo.");
        await see(page, "/statement/months");
      },
      loading: ({ page }) => heldOnTheWay(page, "/statement", "/statement/months"),
      error: async ({ page }) => {
        await see(page, "/statement/months?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-adjustment": {
    scenes: {
      empty: ({ page, seller }) => openForm(page, seller),
      full: async ({ page, seller }) => {
        await openForm(page, seller);
        await page.getByLabel("Debitar da conta").check();
        await page.getByLabel("Valor do ajuste").fill("30000");
        await page.getByLabel("Motivo").fill(REASON);
        await page.getByText("Disponível depois").waitFor();
      },
      loading: async ({ page, seller }) => {
        await openForm(page, seller);
        await page.getByLabel("Valor do ajuste").fill("30000");
        await page.getByLabel("Motivo").fill(REASON);
        await hold(page, "**/adjustments");
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /^Creditar R\$/ })
          .click();
        await page.locator("[aria-busy=true]").waitFor();
      },
      error: async ({ page, seller }) => {
        await openForm(page, seller);
        await page.getByRole("dialog").getByRole("button", { name: "Ajustar", exact: true }).click();
        await page.getByText("Escreva ao vendedor o motivo do ajuste.").waitFor();
      },
    },
  },
};

async function openForm(page: Page, seller: Seller) {
  const id = await liveAccountOf(seller);
  await adjust(id, "credit", 1_250_90);
  await seeAsStaff(page, `/operator/accounts/${id}`);
  await page.getByRole("button", { name: "Ajustar…" }).click();
  await page.getByRole("dialog").waitFor();
}
