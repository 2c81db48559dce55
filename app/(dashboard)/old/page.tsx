import { leaveForLastAccount } from "@/lib/auth/session";

export const dynamic = "force-dynamic";

/** Addresses from before they carried the account (next.config.ts leads them here). */
export default function OldAddress() {
  return leaveForLastAccount();
}
