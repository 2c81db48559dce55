import { IN_SCOPE } from "@/lib/db";
import { claimInTurns, leasesOf } from "@/lib/due/claims";
import type { DueRows } from "@/lib/due/find";
import type { Mode } from "@/prisma/client/enums";

/** How long a claim lasts without renewal, so that a dead worker's mails are due again within 10 s. */
const LEASE_MS = 8_000;

/** A mail that this worker has claimed. */
export type Claimed = {
  id: string;
  /** Whose turn it is: the account, or that of nobody. */
  turn: string;
  accountId: string | null;
  template: string;
  locale: string;
  mode: Mode | null;
  recipient: string;
  sealedContent: Buffer | null;
  attempts: number;
  /** It goes to the inbox although there is a server: a sandbox writes to nobody but its own confirmed people. */
  staysHere: boolean;
};

/** The mails of nobody take turns as if they were an account's. `of` and `at` are the expressions of the index `mails_due`. */
export const dueMails = {
  table: "mails",
  key: { id: "uuid" },
  of: ["(case when t.account_id is null then '00000000-0000-0000-0000-000000000000'::uuid else t.account_id end)"],
  at: "greatest(t.next_attempt_at, t.claimed_until)",
  only: "t.next_attempt_at is not null",
} as const satisfies DueRows;

/** Renews and ends a worker's claims. */
export const leases = leasesOf({
  ...{ name: "mails", table: "mails", key: dueMails.key, by: "claimed_by", until: "claimed_until" },
  leaseMs: LEASE_MS,
});

/** Claims up to so many of the mails that are due; the accounts take turns (`claimInTurns`). */
export const claimMails = claimInTurns<Omit<Claimed, "turn">>({
  ...{ name: "mails", rows: dueMails, leases, turns: 100, ofEach: 2 },
  columns: `, t.account_id as "accountId", t.template, t.locale, t.mode, t.recipient, t.sealed_content as "sealedContent",
    t.attempts, t.mode = 'sandbox' and not exists (
      select from accounts a
      join memberships m on m.account_id = case when a.twin_id is null then a.id else a.twin_id end
      join users u on u.id = m.user_id
      where ${IN_SCOPE} and a.id = t.account_id and lower(u.email) = lower(t.recipient) and u.email_confirmed_at is not null
    ) as "staysHere"`,
});
