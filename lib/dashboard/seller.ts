import { readSeller } from "@/lib/accounts/list";
import { readOwnBalance } from "@/lib/accounts/read";
import { mailRoute } from "@/lib/mail/read";
import { readOnboarding } from "@/lib/onboarding/read";
import { readRequestOf } from "@/lib/profile-requests/read";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { railFor } from "@/lib/rails/pix/rails";

/**
 * One seller's account with what it has, where the mails about it go, and which providers this installation has for real money. Throws
 * `account_not_found`, also for a sandbox account.
 */
export const readSellerForStaff = async (id: string) => ({
  data: {
    ...(await readSeller(id)),
    balance: await readOwnBalance(id),
    onboarding: (await readOnboarding(id)).data,
    request: await readRequestOf(id),
  },
  meta: { route: mailRoute(), rails: { pix: railFor("live") !== null, cards: acquirerFor("live") !== null } },
});
