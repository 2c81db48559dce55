import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { byMethod, type FeeColumn, methodNames, methods } from "@/lib/methods/methods";
import type { FeeSchedule } from "@/lib/money";
import type { AccountStatus, Feature, Mode, TransactionMethod } from "@/prisma/client/enums";

/** What every request knows about its account; money is in cents. */
export type AccountContext = {
  id: string;
  mode: Mode;
  status: AccountStatus;
  name: string;
  /** The city of its address; null where none is known. */
  city: string | null;
  features: Feature[];
  /** What it pays for a sale of each method. */
  fees: Record<TransactionMethod, FeeSchedule>;
  clockOffsetMs: number;
  /** Above this amount a person of the account needs a second one, in cents; null where never. */
  approvalAbove: number | null;
  /** The PSP of its Pix; null for the platform's default, and of a sandbox. */
  pixProvider: string | null;
  /** The zone of its billing calendar. */
  timeZone: string;
  /** Whether it has reached its storage limit: see `lib/accounts/storage.ts`. */
  isFull: boolean;
  /** Whether it is a sandbox that is so far above its limit that nothing more is written for it. */
  isClosed: boolean;
  /** Whether anonymous visitors have caused all that they may in a day. */
  isVisitorsFull: boolean;
  /** Since when it waits for its review; null while something is missing, and once it was decided. */
  reviewAskedAt: Date | null;
};

const columnsOf = (fee: FeeColumn) => `a.${fee}_basis_points, a.${fee}_fixed, a.${fee}_minimum`;

/** The columns of `account_in_scope(…) a` that make a context; `::text` because a driver returns int8 as text. */
export const contextColumns = `a.id as account_id, a.mode, a.status, a.name, a.address->>'city' as city,
  coalesce(a.features::text[], '{}') as features, ${methodNames.map((name) => columnsOf(methods[name].fee.column)).join(", ")},
  a.clock_offset_ms::text as clock_offset_ms, a.approval_above::text as approval_above,
  a.time_zone, a.pix_provider,
  a.storage_full_at is not null as is_full, a.storage_closed_at is not null as is_closed,
  a.visitors_full_at is not null as is_visitors_full, a.review_asked_at`;

export type ContextRow = Record<`${FeeColumn}_basis_points`, number | null> &
  Record<`${FeeColumn}_${"fixed" | "minimum"}`, number> & {
    account_id: string;
    mode: Mode;
    status: AccountStatus;
    name: string;
    city: string | null;
    features: Feature[];
    clock_offset_ms: string;
    approval_above: string | null;
    time_zone: string;
    pix_provider: string | null;
    is_full: boolean;
    is_closed: boolean;
    is_visitors_full: boolean;
    review_asked_at: Date | null;
  };

export const toContext = (row: ContextRow): AccountContext => ({
  id: row.account_id,
  mode: row.mode,
  status: row.status,
  name: row.name,
  city: row.city?.trim() || null,
  features: row.features,
  fees: byMethod((name) => feeIn(row, methods[name].fee.column)),
  clockOffsetMs: Number(row.clock_offset_ms),
  approvalAbove: row.approval_above === null ? null : Number(row.approval_above),
  pixProvider: row.pix_provider,
  timeZone: row.time_zone,
  isFull: row.is_full,
  isClosed: row.is_closed,
  isVisitorsFull: row.is_visitors_full,
  reviewAskedAt: row.review_asked_at && new Date(row.review_asked_at),
});

/** A fee schedule of a row that has an account's columns. */
const feeIn = (row: ContextRow, column: FeeColumn): FeeSchedule => ({
  basisPoints: row[`${column}_basis_points`],
  fixed: row[`${column}_fixed`],
  minimum: row[`${column}_minimum`],
});

/** Who is paid: the account, by the name and city that a BR Code has, or the interface's city where it has none yet. */
export const merchantOf = ({ id, name, city }: Pick<AccountContext, "id" | "name" | "city">) => ({
  accountId: id,
  merchantName: name,
  merchantCity: city ?? "SAO PAULO",
});

/** Throws `max_cashin_without_fee` for an amount in cents above the ceiling of an account without a fee schedule. */
export function assertCeiling({ fees }: AccountContext, amount: number): void {
  const ceiling = env.MAX_CASHIN_WITHOUT_FEE;
  if (fees.pix.basisPoints === null && ceiling > 0 && amount > ceiling) throw new AppError("max_cashin_without_fee");
}

/** Throws `account_suspended`, `account_closed` or `account_not_approved` for an account that may not sell. */
export function assertActive({ status }: AccountContext): void {
  if (status === "closed") throw new AppError("account_closed");
  if (status === "suspended") throw new AppError("account_suspended");
  if (status !== "approved") throw new AppError("account_not_approved", { action: "wait_for_approval" });
}

/** Whether it is a sandbox that was reset, in whose place another account is: no sandbox is closed otherwise. */
export const isReplaced = ({ mode, status }: Pick<AccountContext, "mode" | "status">): boolean =>
  mode === "sandbox" && status === "closed";

/** Whether nothing new may be charged for an account by itself: one that may not sell, and a sandbox that is full. */
export const waitsToBill = ({ mode, status, isFull }: Pick<AccountContext, "mode" | "status" | "isFull">): boolean =>
  status !== "approved" || (mode === "sandbox" && isFull);
