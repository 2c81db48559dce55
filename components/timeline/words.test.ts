import { type ComponentProps, createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { describe, expect, test } from "vitest";
import { useTimelineWords } from "@/components/timeline/words";
import { SellerAccount } from "@/lib/accounts/schema";
import type { ChangedSubject } from "@/lib/audit/record-change";
import { auditSubjects } from "@/lib/audit-log/schema";
import type { AboutCharge } from "@/lib/billing/mails";
import { postings } from "@/lib/ledger/chart";
import { PaymentLink } from "@/lib/payment-links/schema";
import { Plan } from "@/lib/plans/schema";
import { Product } from "@/lib/products/schema";
import { refundStatusLabels } from "@/lib/refunds/states";
import { refund } from "@/lib/refunds/subject";
import { subscription } from "@/lib/subscriptions/subject";
import type { TimelineItem } from "@/lib/timeline/schema";
import { statuses } from "@/lib/transactions/states";
import { transaction } from "@/lib/transactions/subject";
import { unmatchedReasons, unmatchedStatuses } from "@/lib/unmatched/states";
import { Webhook } from "@/lib/webhooks/schema";
import { deliveryErrors } from "@/lib/webhooks/states";
import { withdrawalStatusLabels } from "@/lib/withdrawals/states";
import { withdrawal } from "@/lib/withdrawals/subject";
import { type Locale, locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";
import { MailStatus } from "@/prisma/client/enums";

const reasons = unmatchedReasons;

const mails = Object.keys({
  ...{ charge_due: 1, charge_overdue: 1, charge_paid: 1, card_failed: 1, card_expiring: 1 },
  ...{ subscription_suspended: 1, subscription_ending: 1, subscription_cancelled: 1 },
} satisfies Record<AboutCharge | "card_expiring" | "subscription_ending" | "subscription_cancelled", 1>);

const refundMails = ["payer_refunded", "refund_rejected", "refund_failed", "refund_completed"];

/** The balances of a seller that a line may be of. */
const balances = ["available", "pending", "blocked", "held"];
const lines = Object.keys(postings);

type Case = { kind: TimelineItem["kind"]; title: string; status: string | null; detail?: string };

const deliveries = (names: readonly string[]) => [
  ...names.map((title) => ({ kind: "delivery" as const, title, status: "200" })),
  ...["503", ...deliveryErrors].map((status) => ({ kind: "delivery" as const, title: "transaction.created", status })),
];

function mailCases(titles: readonly string[]): Case[] {
  const statuses = [...Object.keys(MailStatus), "kept"];
  return titles.flatMap((title) => statuses.map((status) => ({ kind: "mail", title, status })));
}

const saleCases: Case[] = [
  { kind: "request", title: "POST /api/partner/v1/cash-in", status: "200" },
  ...statuses.map((status) => ({ kind: "event" as const, title: "transaction.updated", status })),
  ...transaction.names.map((title) => ({ kind: "event" as const, title, status: "pending" })),
  ...deliveries(transaction.sentAs),
  ...lines.flatMap((title) => balances.map((status) => ({ kind: "ledger" as const, title, status, detail: "1.00" }))),
  ...reasons.map((title) => ({ kind: "unmatched" as const, title, status: "1.00" })),
  ...unmatchedStatuses.map((status) => ({ kind: "event" as const, title: "unmatched.updated", status })),
];

const withdrawalCases: Case[] = [
  { kind: "event", title: "withdrawal.created", status: "requested", detail: "1.00" },
  ...Object.keys(withdrawalStatusLabels).map((status) => ({
    ...{ kind: "event" as const, title: "withdrawal.updated", status, detail: "1.00" },
  })),
  ...deliveries(withdrawal.sentAs),
];

const refundCases: Case[] = [
  { kind: "event", title: "refund.created", status: "pending" },
  ...Object.keys(refundStatusLabels)
    .filter((status) => status !== "pending")
    .map((status) => ({ kind: "event" as const, title: "refund.updated", status, detail: "1.00" })),
  ...deliveries(refund.sentAs),
  ...mailCases(refundMails),
];

const subscriptionCases: Case[] = [
  ...subscription.names.map((title) => ({ kind: "event" as const, title, status: "active" })),
  { kind: "event", title: "subscription.suspended", status: "paused" },
  ...statuses.map((status) => ({ kind: "sale" as const, title: "transaction.updated", status })),
  ...transaction.names.map((title) => ({ kind: "sale" as const, title, status: "pending" })),
  ...reasons.map((title) => ({ kind: "unmatched" as const, title, status: "1.00" })),
  ...deliveries([...subscription.sentAs, ...transaction.sentAs]),
  ...mailCases(mails),
  { kind: "card", title: "visa", status: null, detail: "1111" },
];

/** What is done by hand to records: those that have a timeline, those that belong to them, and those that the audit alone tells of. */
const changes = [
  ...["product.created", "product.updated", "product.reordered", "plan.created", "plan.updated"],
  ...["plan_split.created", "plan_split.accepted", "plan_split.rejected", "plan_split.cancelled"],
  ...["payment_link.created", "payment_link.updated", "webhook.created", "webhook.updated", "webhook.removed"],
  ...["webhook.replayed", "webhook.stopped"],
  ...["delivery.resent", "account.created", "account.updated", "mail.resent"],
  ...["account.approved", "account.suspended", "account.closed"],
  ...["adjustment.credited", "adjustment.debited", "credential.created", "credential.removed", "public_key.updated"],
  ...["card_domain.created", "card_domain.removed", "stored_card.updated", "user.updated", "sandbox_clock.created"],
  ...["sandbox.reset"],
  ...["session.created", "session.removed", "look.created", "credential.updated", "customer_data.exported"],
  ...["customer_data.redacted"],
  ...["customer_data.erased", "member.created", "member.updated", "member.removed", "invitation.created"],
  ...["invitation.cancelled", "approval.created", "approval.approved", "approval.rejected", "account_note.created"],
  ...["document.created", "document.accepted", "document.refused", "profile_request.created", "reconcile.created"],
  ...["comparison.created"],
  ...["payout_stop.created", "payout_stop.removed"],
  ...["tracking.created", "tracking.updated", "tracking.removed"],
  ...["dispute_file.created", "dispute_file.removed"],
  ...["profile_request.approved", "profile_request.rejected", "profile_request.cancelled"],
];

const changedSubjects = Object.keys({
  ...{
    account: 1,
    account_note: 1,
    adjustment: 1,
    approval: 1,
    card_domain: 1,
    comparison: 1,
    credential: 1,
    customer_data: 1,
  },
  ...{
    delivery: 1,
    invitation: 1,
    document: 1,
    dispute_file: 1,
    look: 1,
    mail: 1,
    member: 1,
    payment_link: 1,
    payout_stop: 1,
    plan: 1,
    plan_split: 1,
  },
  ...{
    product: 1,
    profile_request: 1,
    provider: 1,
    public_key: 1,
    reconcile: 1,
    sandbox: 1,
    sandbox_clock: 1,
    session: 1,
    stored_card: 1,
  },
  ...{ tracking: 1, user: 1, webhook: 1 },
} satisfies Record<ChangedSubject, 1>);

/** Members of these records that follow from others, or that nobody can change. */
const derived = new Set([
  ...["id", "token", "reference_id", "created_at", "updated_at", "is_sold", "splits", "checkout_url", "display_order"],
  ...["active_subscriptions_count", "accepts_payments", "payments_count", "payments_above_max", "token_prefix"],
  ...["disabled_at", "document", "allowed_statuses"],
]);
const members = [Product, Plan, PaymentLink, Webhook, SellerAccount]
  .flatMap((schema) => Object.keys(schema.shape))
  .filter((name) => !derived.has(name));

/** Its children are arguments of `createElement`. */
const Provider = IntlProvider as FunctionComponent<Omit<ComponentProps<typeof IntlProvider>, "children">>;

type Words = { title: string; note: string | null };

const nothing = {
  id: "1",
  at: null,
  real_at: null,
  status: null,
  detail: null,
  cycle_number: 2,
  sale: null,
  actor: null,
  reason: null,
  changes: [],
};

/** What a page says of an item. */
function said(locale: Locale, item: object): Words {
  let words: Words = { title: "", note: null };
  function Probe() {
    words = useTimelineWords()({ ...nothing, ...item } as unknown as TimelineItem);
    return null;
  }
  const messages = catalogues[locale];
  renderToStaticMarkup(
    createElement(Provider, { locale, messages, timeZone: "UTC", onError: fail }, createElement(Probe)),
  );
  return words;
}

function fail(error: Error) {
  throw error;
}

/** The name of an event, a template, a posting or a reason as the program writes it. */
const TECHNICAL = /[a-z]+[._][a-z]+/;

describe.each(locales)("in a timeline every kind of thing that can happen has plain words (%s)", (locale) => {
  const other = catalogues[locale].timeline.other;
  const inPlainWords = ({ title, note }: Words, isRequest: boolean) => {
    expect(title).not.toMatch(TECHNICAL);
    expect(title, "words of its own").not.toContain(other);
    if (!isRequest) expect(note ?? "").not.toMatch(TECHNICAL);
    expect(note ?? "").not.toContain(other);
  };

  test.each(saleCases)("of a sale: $kind $title $status", (item) =>
    inPlainWords(said(locale, item), item.kind === "request"),
  );

  test.each(refundCases)("of a refund: $kind $title $status", (item) => inPlainWords(said(locale, item), false));

  test.each(withdrawalCases)("of a withdrawal: $kind $title $status", (item) =>
    inPlainWords(said(locale, item), false),
  );

  test.each(subscriptionCases)("of a subscription: $kind $title $status", (item) =>
    inPlainWords(said(locale, item), false),
  );

  test.each(changes)("of a change by hand: %s", (title) =>
    inPlainWords(said(locale, { kind: "change", title }), false),
  );

  test("what the audit can be narrowed to are all subjects, each by its name", () => {
    const subjects = [
      ...changedSubjects,
      "transaction",
      "refund",
      "withdrawal",
      "dispute",
      "subscription",
      "unmatched",
      "difference",
    ].sort();
    expect([...auditSubjects].sort()).toEqual(subjects);
    expect(Object.keys(catalogues[locale].audit.subjects).sort()).toEqual(subjects);
  });

  test.each(members)("a member that a person changes has a name: %s", (name) => {
    const item = { kind: "change", title: "product.updated", changes: [{ name, before: "antes", after: "depois" }] };
    expect(said(locale, item).note).toMatch(/^[^_]+$/);
  });

  test("who did it is said where it was somebody", () => {
    const by = (actor: object | null) => said(locale, { kind: "change", title: "product.updated", actor }).note;
    expect(by({ kind: "person", name: "Ana Prado" })).toContain("Ana Prado");
    expect(by({ kind: "credential", name: "Loja" })).toContain("Loja");
    for (const kind of ["visitor", "payer", "staff", "rail"]) expect(by({ kind, name: null })).toMatch(/./);
    expect([by(null), by({ kind: "system", name: null }), by({ kind: "person", name: null })]).toEqual(["", "", ""]);
  });

  test("why it was done is said in the words of who did it, and an adjustment by its amount", () => {
    const adjusted = { kind: "change", title: "adjustment.debited", detail: "12.50", reason: "Taxa errada." };
    expect(said(locale, adjusted).note).toMatch(/^R\$\s12[.,]50 · “Taxa errada\.”$/);
    const asked = { kind: "event", title: "refund.created", status: "pending", detail: "40.00", reason: "Fraude." };
    expect(said(locale, { ...asked, cycle_number: null }).note).toMatch(/“Fraude\.”$/);
  });

  test("what moved is named by the status that it moved to", () => {
    const { subscription } = catalogues[locale].timeline.events;
    const moved = { kind: "event", title: "subscription.updated", status: "cancelled" };
    expect(said(locale, moved).title).toBe(subscription.cancelled);
  });

  test("and a kind of a later version is some other change, not its technical name", () => {
    const unknown = { kind: "event", title: "subscription.frozen", status: "frozen" };
    expect(said(locale, unknown).title).toBe(other);
    expect(said(locale, { ...unknown, title: "transaction.frozen" }).title).toBe(other);
    expect(said(locale, { kind: "change", title: "product.frozen" }).title).toBe(other);
  });
});
