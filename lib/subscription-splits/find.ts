import type { AccountContext } from "@/lib/accounts/context";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { readNumber, sha256 } from "@/lib/ids";
import { type InviteRow, inviteColumns, withOffer } from "@/lib/subscription-splits/present";
import { emailOfLink, provenEmail, showInvitations } from "@/lib/subscription-splits/prove-email";

/** A split by its number, with its offer. Throws `split_not_found` for one that the transaction does not see. */
export async function readInvite(tx: Tx, id: number): Promise<InviteRow> {
  const text = `select ${inviteColumns} from plan_splits s ${withOffer} where s.id = $1`;
  const [row] = await tx.$queryRawUnsafe<InviteRow[]>(text, id);
  if (!row) throw new AppError("split_not_found");
  return row;
}

/** The number in a path. Throws `split_not_found` for anything that is no number of a record. */
export function splitIdOf(text: string): number {
  const id = readNumber(text);
  if (id === undefined) throw new AppError("split_not_found");
  return id;
}

/** Which invite is meant: by its number in a path, or by the secret in its mail's link, which proves the e-mail for it alone. */
export type Named = { id: string } | { secret: string };

/**
 * The split of which an account is the recipient: one that it answered, or a pending one for an e-mail that is proven.
 * Throws `split_not_found`, also for a sandbox's split and a live account, and the other way round.
 */
export async function findReceived(tx: Tx, { id: recipientId, mode }: AccountContext, named: Named) {
  const isByLink = "secret" in named;
  const email = isByLink ? await emailOfLink(tx, named.secret) : await provenEmail(tx, recipientId);
  await showInvitations(tx, email);
  const which = isByLink ? { linkHash: new Uint8Array(sha256(named.secret)) } : { id: splitIdOf(named.id) };
  const invited = { status: "pending", email: email ?? "", mode } as const;
  const split = await tx.planSplit.findFirst({ where: { ...which, OR: [{ recipientId }, invited] } });
  if (!split) throw new AppError("split_not_found");
  return split;
}
