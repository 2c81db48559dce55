import { disputed, disputeSale } from "./disputes";
import { paidDeposit, type Seller, staffCookie } from "./fixtures";
import { heldOnTheWay, hold, pointAt, type Scenes, see, seeAsStaff, seeBroken, spoil } from "./visits";

/** Breaks a dispute that has ended, because an open one would break the staff's list of all sellers. */
async function broken(seller: Seller): Promise<string> {
  const { dispute } = await disputed(seller, { outcome: "won" });
  await spoil(seller, "update disputes set created_at = 'infinity' where account_id = $1::uuid");
  return dispute.code;
}

const listOf = ({ accountId }: Seller) => `/${accountId}/disputes`;

/** The pages of disputes, of sellers and of the operator's staff. */
export const disputePages: Scenes = {
  disputes: {
    scenes: {
      empty: ({ page, seller }) => see(page, listOf(seller)),
      full: async ({ page, seller }) => {
        await disputed(seller, { outcome: "won" });
        await disputed(seller, { reason: "not_received", amount: "40.00" });
        await see(page, listOf(seller));
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/disputes"),
      error: async ({ page, seller }) => {
        await broken(seller);
        await seeBroken(page, listOf(seller));
      },
    },
  },
  dispute: {
    scenes: {
      empty: async ({ page, seller }) => {
        const { identifier } = await paidDeposit(seller, { client: undefined, description: undefined });
        await see(page, `${listOf(seller)}/${(await disputeSale(seller, identifier, { outcome: "lost" })).code}`);
      },
      full: async ({ page, seller }) => see(page, `${listOf(seller)}/${(await disputed(seller)).dispute.code}`),
      loading: async ({ page, seller }) => {
        const path = `/disputes/${(await disputed(seller)).dispute.code}`;
        await see(page, listOf(seller));
        const link = await pointAt(page, path);
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => seeBroken(page, `${listOf(seller)}/${await broken(seller)}`),
    },
  },
  "operator-disputes": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/disputes?mode=live"),
      full: async ({ page, seller }) => {
        await disputed(seller);
        await seeAsStaff(page, "/operator/disputes?mode=sandbox");
      },
      loading: async ({ page }) => {
        await page.context().addCookies([await staffCookie()]);
        await heldOnTheWay(page, "/operator/accounts", "/operator/disputes");
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/disputes?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
};
