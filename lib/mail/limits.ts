import type { Template } from "@/lib/mail/templates";

/**
 * How many mails of a template an address gets in 24 hours, from all live accounts together. Each template counts alone, so
 * that nobody's charges or invitations keep a link for a new password away. Null where whoever asks for the mail is limited
 * instead (`lib/users/links.ts`): such a mail is about the person's own sign-in.
 */
export const ofAddressADay: { readonly [T in Template]: number | null } = {
  split_invited: 10,
  split_accepted: 50,
  split_cancelled: 10,
  charge_due: 20,
  charge_overdue: 20,
  charge_paid: 20,
  card_failed: 20,
  card_expiring: 10,
  subscription_ending: 20,
  subscription_cancelled: 20,
  subscription_suspended: 20,
  cancelled_by_payer: 20,
  suspensions_of_day: 20,
  link_paid: 20,
  link_oversold: 50,
  payer_refunded: 20,
  refund_requests_of_day: 20,
  refund_rejected: 50,
  refund_failed: 50,
  refund_completed: 20,
  dispute_opened: 50,
  dispute_reminder: 50,
  dispute_ended: 50,
  withdrawal_asked: 200,
  withdrawal_ended: 200,
  account_approved: 50,
  account_changed: 50,
  document_refused: 50,
  profile_decided: 50,
  account_closed: 50,
  webhook_failing: 50,
  webhook_disabled: 50,
  rail_missing: null,
  refund_waiting: null,
  staff_moved_money: null,
  audit_published: null,
  certificate_ending: null,
  review_waiting: null,
  confirm_address: null,
  reset_password: null,
  password_changed: null,
  security_changed: null,
  team_invited: 20,
  staff_invited: null,
  member_factor_reset: null,
  approval_asked: 50,
  address_already_known: null,
};

/**
 * So many of its charges, receipts and ends an account may mail to an address in 24 hours, whatever others wrote to it:
 * without the mail they would not be paid, or not known to be.
 */
export const ofBothADay: { readonly [T in Template]?: number } = {
  charge_due: 5,
  charge_overdue: 5,
  charge_paid: 5,
  card_failed: 5,
  card_expiring: 2,
  subscription_ending: 5,
  subscription_cancelled: 5,
  subscription_suspended: 5,
  cancelled_by_payer: 5,
  suspensions_of_day: 2,
  link_paid: 5,
  payer_refunded: 5,
  refund_requests_of_day: 2,
  refund_rejected: 5,
  refund_failed: 5,
  refund_completed: 5,
  dispute_opened: 20,
  dispute_reminder: 20,
  dispute_ended: 20,
};

/**
 * What an account's mails are counted as, each kind against an allowance of the same size: of a day of many sales receipts
 * would keep away the mails by which charges are paid, and so would those of the subscriptions that end, and of refunds.
 */
export const kinds = {
  receipts: ["link_paid", "charge_paid"],
  ends: [
    "subscription_ending",
    "subscription_cancelled",
    "subscription_suspended",
    "cancelled_by_payer",
    "suspensions_of_day",
  ],
  disputes: ["dispute_opened", "dispute_reminder", "dispute_ended"],
  refunds: ["payer_refunded", "refund_requests_of_day", "refund_rejected", "refund_failed", "refund_completed"],
  withdrawals: ["withdrawal_asked", "withdrawal_ended"],
} as const satisfies Record<string, readonly Template[]>;

/** The kind of a template; `others` are what is of none. */
export const kindOf = (template: Template): string =>
  Object.entries<readonly Template[]>(kinds).find(([, templates]) => templates.includes(template))?.[0] ?? "others";

/** What an account's own people are warned by: once for each failure, so that no limit of the account keeps it back. */
export const alarms: readonly Template[] = ["webhook_failing", "webhook_disabled"];

/**
 * How many mails of each kind an account writes in 24 hours: a live one `first`, doubled with each week of its age, up to
 * `most`.
 */
export const ofAccountADay = { sandbox: 500, first: 500, most: 50_000 } as const;
