import { requestDeposit } from "@/lib/deposits/request";
import { call, cashIn } from "@/lib/testing/make";
import type { Page, Seller } from "./fixtures";
import { hold, type Scenes, see, seeAsStaff } from "./visits";

const PERSON = "ana.prado@example.com";

type At = { page: Page; seller: Seller };

const open = ({ page, seller }: At) => see(page, `/${seller.accountId}/privacy`);

async function look({ page, seller }: At, person = PERSON) {
  await open({ page, seller });
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
      empty: open,
      full: async ({ page, seller }) => {
        await bought(seller);
        await look({ page, seller });
        await page.getByRole("button", { name: "Apagar os dados" }).waitFor();
      },
      loading: async ({ page, seller }) => {
        await hold(page, "**/customer-data");
        await look({ page, seller });
        await page.getByText("Consultando…").waitFor();
      },
      error: async ({ page, seller }) => {
        await look({ page, seller }, "ana@");
        await page.getByText("Informe um CPF, um CNPJ ou um e-mail.").waitFor();
      },
    },
  },
  // It reads nothing, so it has one state.
  "operator-retention": { scenes: { empty: retention, full: retention, loading: retention, error: retention } },
};
