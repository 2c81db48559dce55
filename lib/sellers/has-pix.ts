import type { AccountContext } from "@/lib/accounts/context";
import { railFor } from "@/lib/rails/pix/rails";

/** Whether a provider takes an account's Pix; without one each of its Pix charges is refused. */
export const hasPix = (account: AccountContext): boolean => railFor(account) !== null;
