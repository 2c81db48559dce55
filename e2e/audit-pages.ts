import { actAs } from "@/lib/actor";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { updateProduct } from "@/lib/products/update";
import { call } from "@/lib/testing/make";
import { adjust } from "./balance-pages";
import { liveAccountOf, type Seller, staffCookie } from "./fixtures";
import { refunded } from "./refunds";
import { heldOnTheWay, type Scenes, see, seeAsStaff } from "./visits";

/** A seller in whose account people, programs, a provider and the staff did something. */
export async function audited(seller: Seller) {
  await refunded(seller);
  await actAs({ kind: "credential", id: seller.clientId, ip: "203.0.113.7" }, async () => {
    const { data } = await createProduct(seller.account, ProductInput.parse({ name: "Revista" }), call());
    await updateProduct(seller.account, { id: data.reference_id, name: "Revista Aurora, edição de colecionador" });
  });
  await adjust(seller.accountId, "credit", 1_250_90);
}

/** What happened in an account, for its people and for the operator's staff. */
export const auditPages: Scenes = {
  audit: {
    scenes: {
      empty: async ({ page, seller }) => {
        await see(page, `/${await liveAccountOf(seller)}/audit?subject=card_domain`);
        await page.getByText("Nada aconteceu com estes filtros.").waitFor();
      },
      full: async ({ page, seller }) => {
        await audited(seller);
        await see(page, "/audit");
        await page.getByText("Produto alterado").click();
        await page.getByText("Revista Aurora").first().waitFor();
      },
      loading: ({ page }) => heldOnTheWay(page, "/settings", "/audit"),
      error: async ({ page }) => {
        await see(page, "/audit?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-audit": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/audit?subject=card_domain"),
      full: async ({ page, seller }) => {
        await audited(seller);
        await seeAsStaff(page, `/operator/accounts/${seller.accountId}/audit`);
        await page.getByText("Ajuste a crédito").click();
        await page.getByText("Taxa de outubro").waitFor();
      },
      loading: async ({ page }) => {
        await page.context().addCookies([await staffCookie()]);
        await heldOnTheWay(page, "/operator/accounts", "/operator/audit");
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/audit?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
};
