import { forAccount, type Tx } from "@/lib/db";
import { sha256 } from "@/lib/ids";

/** The account's registered e-mail, once the person to whom it belongs has proved that it is theirs; null before that. */
export async function provenEmail(tx: Tx, accountId: string): Promise<string | null> {
  const [found] = await tx.$queryRaw<{ email: string }[]>`
    select u.email from accounts a
    join users u on u.email = a.email and u.email_confirmed_at is not null
    join memberships m on m.user_id = u.id and a.id in (m.account_id, m.sandbox_id)
    where a.id = ${accountId}::uuid`;
  return found?.email ?? null;
}

/**
 * To whom the invitation with this secret in its link was sent, while it is pending and for thirty days; null for every
 * other secret, whatever the cause.
 */
export async function emailOfLink(tx: Tx, secret: string): Promise<string | null> {
  const [found] = await tx.$queryRaw<{ email: string | null }[]>`
    select email_of_link(${new Uint8Array(sha256(secret))}) as email`;
  return found?.email ?? null;
}

/** Whether an invitation's link that still opens was sent to exactly this e-mail. */
export const isProvedByLink = async (secret: string, email: string): Promise<boolean> =>
  (await forAccount([], (tx) => emailOfLink(tx, secret))) === email;

/** Opens the pending invitations of a proven e-mail to the rest of the transaction. */
export const showInvitations = (tx: Tx, email: string | null) =>
  tx.$executeRaw`select set_config('app.email', ${email ?? ""}, true)`;
