import { readSeller } from "@/lib/accounts/list";
import { readOwnBalance } from "@/lib/accounts/read";
import { mailRoute } from "@/lib/mail/read";
import { readOnboarding } from "@/lib/onboarding/read";
import { readRequestOf } from "@/lib/profile-requests/read";
import { listProviders } from "@/lib/providers/read";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { railFor } from "@/lib/rails/pix/rails";

/**
 * One seller's account with what it has, where the mails about it go, and which providers this installation has for real money. Throws
 * `account_not_found`, also for a sandbox account.
 */
export async function readSellerForStaff(id: string) {
  const seller = await readSeller(id);
  const rail = railFor({ mode: "live", pixProvider: seller.pix_provider });
  const { data: providers } = await listProviders();
  return {
    data: {
      ...seller,
      balance: await readOwnBalance(id),
      onboarding: (await readOnboarding(id)).data,
      request: await readRequestOf(id),
    },
    meta: {
      route: mailRoute(),
      rails: { pix: rail !== null, cards: acquirerFor("live") !== null },
      pix_providers: providers.map(({ name, title, is_default }) => ({ name, title, is_default })),
    },
  };
}
