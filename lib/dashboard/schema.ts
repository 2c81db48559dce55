import { z } from "zod";
import { OwnBalance, SellerDetail } from "@/lib/accounts/schema";
import { MonthTotal } from "@/lib/earnings/schema";
import { MailRoute } from "@/lib/mail/schema";
import { Onboarding } from "@/lib/onboarding/schema";
import { ProfileRequest } from "@/lib/profile-requests/schema";
import { Refund, Review } from "@/lib/refunds/schema";
import { StatementPage } from "@/lib/statement/schema";
import { TransactionDetail, TransactionPage, TransactionQuery } from "@/lib/transactions/schema";

/** What the home page shows. Days are those of `TIME_ZONE`, oldest first: 30 before and the 30 to today. */
export const Overview = z.object({
  today: z.object({ count: z.int(), amount: z.string() }),
  balance: OwnBalance,
  days: z.array(z.object({ date: z.string(), amount: z.string(), count: z.int() })),
  failing_webhooks: z.int(),
  /** The webhook that fails, where it is the only one. */
  failing_webhook: z.int().nullable(),
  /**
   * Refunds of the account's sales that have not ended, those of them that wait for the operator, what they hold of the
   * balance, and what is blocked beside those and disputes: the account's parts of others' sales that go back. Both are null where
   * there are more than are counted.
   */
  refunds: z.object({ open: z.int(), pending: z.int(), held: z.string().nullable(), shares: z.string().nullable() }),
  /** Withdrawals that wait for a second person. */
  waiting_withdrawals: z.int(),
  /** Disputes of the account's sales that are open, those of them without a defence, and what they hold of the balance. */
  disputes: z.object({ open: z.int(), undefended: z.int(), held: z.string() }),
  /** Those that owe, each counted as the list of who owes counts it; the suspended ones were not paid. */
  overdue_subscriptions: z.int(),
  suspended_subscriptions: z.int(),
  /** Of an account that has sold nothing and shares others' sales: the invites that wait, and what it earned. */
  recipient: z
    .object({
      waiting: z.int(),
      accepted: z.int(),
      month: MonthTotal,
    })
    .nullable(),
  /** What the review of a live account that is not approved still needs; null of every other. */
  onboarding: Onboarding.pick({ missing: true, review_asked_at: true }).nullable(),
  /** Whether a provider takes its Pix; without one each of its Pix charges is refused. */
  has_pix: z.boolean(),
  /** How much of its limit the account stored in the last thirty days. */
  storage: z.object({ percent: z.int(), limit_mb: z.int(), is_full: z.boolean() }),
  checklist: z.object({
    credential: z.boolean(),
    webhook: z.boolean(),
    paid: z.boolean(),
    /** The newest product that is not archived. */
    product: z.uuid().nullable(),
    /** A plan that is for sale: a product's default one before others, then the newest. */
    plan: z.object({ name: z.string(), checkout_url: z.string() }).nullable(),
    link: z.boolean(),
  }),
});
export type Overview = z.output<typeof Overview>;

/** What this installation can do for a seller: where its mails go, and which providers there are for real money. */
export const SellerMeta = z.object({
  route: MailRoute,
  rails: z.object({ pix: z.boolean(), cards: z.boolean() }),
  /** The PSPs from which its Pix may come. */
  pix_providers: z.array(z.object({ name: z.string(), title: z.string(), is_default: z.boolean() })),
});
export type SellerMeta = z.output<typeof SellerMeta>;

/** A seller with what its account has, its documents and its newest request of a change, as the operator's staff sees it. */
export const SellerWithBalance = SellerDetail.extend({
  balance: OwnBalance,
  onboarding: Onboarding,
  request: ProfileRequest.nullable(),
});
export type SellerWithBalance = z.output<typeof SellerWithBalance>;

/** GET /api/operator/v1/accounts/{id}/transactions: the sales of one account, in either mode. */
export const SellersSalesQuery = TransactionQuery.pick({ page: true, per_page: true, cursor: true, search: true });
export type SellersSalesQuery = z.output<typeof SellersSalesQuery>;

export const SellersSales = TransactionPage.extend({
  meta: TransactionPage.shape.meta.extend({ account: Review.shape.account }),
});
export type SellersSales = z.output<typeof SellersSales>;

/** GET /api/operator/v1/accounts/{id}/statement: the statement of one account, in either mode. */
export const SellersStatement = StatementPage.extend({
  meta: StatementPage.shape.meta.extend({ account: Review.shape.account }),
});
export type SellersStatement = z.output<typeof SellersStatement>;

/** A seller's sale for the operator's staff: whose it is, and its newest refunds. */
export const SellersSale = z.object({
  account: Review.shape.account,
  sale: TransactionDetail,
  refunds: z.array(Refund),
});
export type SellersSale = z.output<typeof SellersSale>;
