import { readSeller } from "@/lib/accounts/list";
import { mailRoute } from "@/lib/mail/read";

/** One seller's account, and where the mails about it go. Throws `account_not_found`, also for a sandbox account. */
export const readSellerForStaff = async (id: string) => ({ data: await readSeller(id), meta: { route: mailRoute() } });
