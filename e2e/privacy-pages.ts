import { requestDeposit } from "@/lib/deposits/request";
import { call, cashIn } from "@/lib/testing/make";
import type { Page, Seller } from "./fixtures";
import { hold, type Scenes, see, seeAsStaff } from "./visits";

const PERSON = "ana.prado@example.com";

async function look(page: Page, person = PERSON) {
  await see(page, "/privacy");
  await page.getByLabel("CPF, CNPJ ou e-mail do cliente").fill(person);
  await page.getByRole("button", { name: "Consultar" }).click();
}

const bought = ({ account }: Seller) =>
  requestDeposit(account, cashIn({ client: { name: "Ana Prado", email: PERSON, cpf: "529.982.247-25" } }), call());

const retention = ({ page }: { page: Page }) => seeAsStaff(page, "/operator/retention");

/** What is kept of customers, and how long. */
export const privacyPages: Scenes = {
  privacy: {
    scenes: {
      empty: ({ page }) => see(page, "/privacy"),
      full: async ({ page, seller }) => {
        await bought(seller);
        await look(page);
        await page.getByRole("button", { name: "Apagar os dados" }).waitFor();
      },
      loading: async ({ page }) => {
        await hold(page, "**/customer-data");
        await look(page);
        await page.getByText("Consultando…").waitFor();
      },
      error: async ({ page }) => {
        await look(page, "ana@");
        await page.getByText("Informe um CPF, um CNPJ ou um e-mail.").waitFor();
      },
    },
  },
  // It reads nothing, so it has one state.
  "operator-retention": { scenes: { empty: retention, full: retention, loading: retention, error: retention } },
};
