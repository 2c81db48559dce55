import { feeOfAccount } from "@/lib/accounts/fees";
import type { AccountsQuery, Conditions, SellerAccount, SellerDetail, Terms } from "@/lib/accounts/schema";
import { staffTransitions } from "@/lib/accounts/states";
import { approvedTerms } from "@/lib/accounts/terms";
import { readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { COUNTED, countedUpTo, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { byFee } from "@/lib/methods/methods";
import { decimal, type FeeSchedule } from "@/lib/money";
import { statusesAfter } from "@/lib/states";
import { iso, isoOrNull } from "@/lib/time/clock";
import { emailSought } from "@/lib/typed/emails";
import { signsOf, upper } from "@/lib/typed/text";
import type { Account, Prisma } from "@/prisma/client/client";
import { AccountStatus } from "@/prisma/client/enums";

/**
 * Sellers' live accounts for a person of the operator's staff, newest first, with the number of each status. `byParts` is
 * whether a search finds parts of e-mails too.
 */
export async function listAccounts(query: AccountsQuery, byParts: boolean) {
  const found = matching(query, byParts);
  return readForStaff(async (tx) => {
    const countOf: Partial<Record<AccountStatus, number>> = {};
    for (const status of Object.values(AccountStatus)) {
      countOf[status] = await tx.account.count({ where: { ...found, status }, take: COUNTED + 1 });
    }
    const all = Object.values(countOf).reduce((sum, count) => sum + count, 0);
    const after = { ...(query.status && { status: query.status }), ...(query.cursor && { id: { lt: query.cursor } }) };
    const rows = await tx.account.findMany({ where: { ...found, ...after }, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(query.status ? (countOf[query.status] ?? 0) : all), query);
    return { data: shown.map(presentSeller), meta: { ...meta, counts: countedUpTo({ ...countOf, all }) } };
  });
}

/** How many other accounts with the same document are named. */
const MAX_SAME = 20;

/** One seller's live account. Throws `account_not_found`, also for a sandbox account. */
export async function readSeller(id: string): Promise<SellerDetail> {
  return readForStaff(async (tx) => {
    const account = await tx.account.findFirst({ where: { id, mode: "live" } });
    if (!account) throw new AppError("account_not_found");
    const same_document = await tx.account.findMany({
      where: { document: account.document, mode: "live", id: { not: id } },
      select: { id: true, name: true, status: true },
      orderBy: { id: "desc" },
      take: MAX_SAME,
    });
    const { address, legalRepresentative } = account;
    return {
      ...presentSeller(account),
      address: address as SellerDetail["address"],
      legal_representative: legalRepresentative as SellerDetail["legal_representative"],
      same_document,
      pix_provider: account.pixProvider,
    };
  });
}

/** Who sees e-mails masked finds a whole one alone, because parts would spell it out letter by letter. */
function matching({ search }: AccountsQuery, byParts: boolean): Prisma.AccountWhereInput {
  if (!search) return { mode: "live" };
  if (isId(search)) return { mode: "live", id: search };
  const literal = search.replace(/[\\%_]/g, "\\$&"); // for LIKE
  const text = { contains: literal, mode: "insensitive" } as const;
  const document = upper(signsOf(search));
  return { mode: "live", OR: [{ name: text }, { email: byParts ? text : emailSought(search) }, { document }] };
}

const presentFee = ({ basisPoints, fixed, minimum }: FeeSchedule) => ({
  percentage: basisPoints === null ? null : decimal(basisPoints),
  fixed: decimal(fixed),
  minimum: decimal(minimum),
});

const presentTerms = (account: Account): Terms => ({
  ...byFee((name) => presentFee(feeOfAccount(account, name))),
  refund_fee: decimal(account.refundFee),
  chargeback_fee: decimal(account.chargebackFee),
  ...{ withdrawal_fee: decimal(account.withdrawalFee), withdrawal_limit: decimal(account.withdrawalLimit) },
  ...{ withdrawal_day_limit: decimal(account.withdrawalDayLimit), new_key_limit: decimal(account.newKeyLimit) },
  withdrawal_night_limit: decimal(account.withdrawalNightLimit),
  card_settlement_days: account.cardSettlementDays,
  approval_above: account.approvalAbove === null ? null : decimal(account.approvalAbove),
  storage_limit_mb: account.status === "pending" ? approvedTerms.storageLimitMb : account.storageLimitMb,
});

/** What the staff change of an account by one form, as that form shows it. */
export const conditionsOf = (account: Account): Conditions => ({
  features: account.features,
  terms: presentTerms(account),
});

export const presentSeller = (account: Account): SellerAccount => ({
  id: account.id,
  name: account.name,
  email: account.email,
  document: account.document,
  phone: account.phone,
  status: account.status,
  ...conditionsOf(account),
  created_at: iso(account.createdAt),
  review_asked_at: isoOrNull(account.reviewAskedAt),
  allowed_statuses: statusesAfter(staffTransitions, account.status),
});
