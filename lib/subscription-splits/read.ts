import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { sha256 } from "@/lib/ids";
import { COUNTED, metaOf, type PageQuery, skipOf } from "@/lib/lists/pagination";
import { findPlan } from "@/lib/plans/read";
import { findReceived, readInvite } from "@/lib/subscription-splits/find";
import { type InviteRow, inviteColumns, presentInvite, withOffer } from "@/lib/subscription-splits/present";
import { emailOfLink, provenEmail, showInvitations } from "@/lib/subscription-splits/prove-email";
import type { SplitQuery } from "@/lib/subscription-splits/schema";

/** The splits that the account has offered, newest first. */
export const listSent = ({ id: accountId }: AccountContext, query: SplitQuery) =>
  readFor(accountId, (tx) => pageOfSplits(tx, SENT, [accountId, null, query.status ?? null], query));

/** The splits of one plan, newest first. Throws `plan_not_found`. */
export const listSplitsOf = ({ id: accountId }: AccountContext, planId: string, query: SplitQuery) =>
  readFor(accountId, async (tx) => {
    await findPlan(tx, { accountId, id: planId });
    return pageOfSplits(tx, SENT, [accountId, planId, query.status ?? null], query);
  });

/**
 * The invites of which the account is the recipient, newest first: those that it answered, and those that are pending for
 * its registered e-mail, once that is proven. Without a status it is the accepted and the pending ones.
 */
export const listReceived = ({ id: accountId, mode }: AccountContext, query: SplitQuery) =>
  readFor(accountId, async (tx) => {
    const email = await provenEmail(tx, accountId);
    await showInvitations(tx, email);
    const { status = null } = query;
    const pending = status === null || status === "pending" ? email : null;
    return pageOfSplits(tx, RECEIVED, [accountId, status ?? "accepted", pending, mode], query);
  });

/**
 * The invite of a mail's link, as an account of the same mode may answer it. Throws `split_not_found`, also for one that
 * somebody else has answered.
 */
export const readByLink = (account: AccountContext, secret: string) =>
  readFor(account.id, async (tx) => {
    const { id } = await findReceived(tx, account, { secret });
    return { data: presentInvite(await readInvite(tx, id)) };
  });

/**
 * The pending invite of a mail's link, for whoever has the secret and no account yet. Throws `split_not_found`, whatever
 * the cause.
 */
export const readOffer = (secret: string) =>
  forAccount([], async (tx) => {
    const email = await emailOfLink(tx, secret);
    await showInvitations(tx, email);
    const linkHash = new Uint8Array(sha256(secret));
    const split = email && (await tx.planSplit.findFirst({ where: { linkHash, email, status: "pending" } }));
    if (!split) throw new AppError("split_not_found");
    return { data: presentInvite(await readInvite(tx, split.id)) };
  });

const SENT = `select * from plan_splits where account_id = $1::uuid and ($2::uuid is null or plan_id = $2::uuid)
  and ($3::text is null or status::text = $3)`;

const RECEIVED = `select * from plan_splits where recipient_id = $1::uuid and status::text = $2
  union all
  select * from plan_splits where status = 'pending' and email = $3 and mode::text = $4`;

async function pageOfSplits(tx: Tx, which: string, values: unknown[], query: PageQuery) {
  const counted = `select count(*)::int as total from (select from (${which}) s limit ${COUNTED}) counted`;
  const [count] = await tx.$queryRawUnsafe<{ total: number }[]>(counted, ...values);
  const [skip, take] = [skipOf(query), query.per_page];
  const page = `select * from (${which}) s order by id desc offset ${skip} limit ${take}`;
  const text = `select ${inviteColumns} from (${page}) s ${withOffer} order by s.id desc`;
  const rows = await tx.$queryRawUnsafe<InviteRow[]>(text, ...values);
  return { data: rows.map(presentInvite), meta: metaOf(count?.total ?? 0, query) };
}
