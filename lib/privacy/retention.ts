import { KEPT_YEARS } from "@/lib/privacy/places";

/** What rows are kept for as long as they are: the texts are in messages/…/privacy.json. */
type Why = "diagnosis" | "security" | "repeats" | "limits" | "fraud" | "disputes" | "law" | "simulation";

/** `part` names what of a table a rule is about, where the table has several. */
type Rule = { table: string; part?: string; why: Why; column: string; keep: string; only?: string };

/**
 * How long rows are kept: the table, what for, the column whose age counts, and a further condition. An index
 * in the order of that column finds what is over; only sessions, limits and tokens of providers, which are few, have none. The pages about
 * retention show this table (`components/privacy/retention.tsx`), and `lib/jobs/retention.ts` deletes by it.
 */
export const retention: readonly Rule[] = [
  { table: "request_log", why: "diagnosis", column: "created_at", keep: "30 days" },
  { table: "delivery_attempts", why: "diagnosis", column: "created_at", keep: "14 days" },
  { table: "delivery_bodies", why: "diagnosis", column: "created_at", keep: "14 days" },
  { table: "deliveries", why: "diagnosis", column: "created_at", keep: "30 days", only: "next_attempt_at is null" },
  { table: "webhook_replays", why: "diagnosis", column: "ended_at", keep: "30 days" },
  { table: "tracking_orders", why: "diagnosis", column: "created_at", keep: "30 days" },
  { table: "mails", why: "diagnosis", column: "created_at", keep: "30 days", only: "next_attempt_at is null" },
  { table: "mail_links", why: "security", column: "created_at", keep: "2 days" },
  { table: "idempotency_keys", why: "repeats", column: "created_at", keep: "1 day" },
  { table: "access_tokens", why: "security", column: "expires_at", keep: "0 s" },
  { table: "sessions", why: "security", column: "expires_at", keep: "0 s" },
  { table: "known_devices", why: "security", column: "seen_at", keep: "180 days" },
  { table: "card_tokens", why: "security", column: "expires_at", keep: "1 day" }, // emptied long before: lib/card-tokens/expire.ts
  { table: "provider_tokens", why: "security", column: "claimed_until", keep: "30 days" }, // none serves for more than a day
  { table: "account_storage", why: "limits", column: "day", keep: "31 days" },
  {
    table: "rate_limits",
    why: "limits",
    column: "updated_at",
    keep: "70 minutes",
    only: "key not like 'sandbox-reset:%'",
  },
  { table: "rate_limits", part: "day", why: "limits", column: "updated_at", keep: "25 hours" },
  { table: "callbacks", why: "diagnosis", column: "received_at", keep: "30 days" },
  { table: "watches", why: "diagnosis", column: "ends_at", keep: "30 days", only: "ask_at is null" }, // of what has no answer
  { table: "clock_advances", why: "diagnosis", column: "created_at", keep: "30 days", only: "done_at is not null" },
  { table: "simulator_pix", why: "simulation", column: "paid_at", keep: "400 days" },
  { table: "simulator_cobs", why: "simulation", column: "created_at", keep: "400 days" },
  { table: "simulator_card_refunds", why: "simulation", column: "created_at", keep: "400 days" },
  { table: "simulator_orders", why: "simulation", column: "created_at", keep: "400 days" },
  { table: "simulator_payouts", why: "simulation", column: "created_at", keep: "400 days" },
  { table: "simulator_payout_returns", why: "simulation", column: "created_at", keep: "400 days" },
  { table: "simulator_devolucoes", why: "simulation", column: "created_at", keep: "400 days" },
  {
    table: "simulator_infractions",
    why: "simulation",
    column: "created_at",
    keep: "400 days",
    only: "status <> 'open'",
  },
  {
    table: "simulator_chargebacks",
    why: "simulation",
    column: "created_at",
    keep: "400 days",
    only: "status <> 'open'",
  },
  { table: "simulator_cobrs", why: "simulation", column: "created_at", keep: "400 days" },
  {
    table: "simulator_recs",
    why: "simulation",
    column: "created_at",
    keep: "400 days",
    only: "doc ->> 'status' not in ('CRIADA', 'APROVADA')",
  },
  {
    table: "account_documents",
    part: "refused",
    why: "diagnosis",
    column: "decided_at",
    keep: "90 days",
    only: "status = 'refused'",
  },
  { table: "account_documents", part: "closed", why: "law", column: "account_closed_at", keep: `${KEPT_YEARS} years` },
  { table: "dispute_files", why: "disputes", column: "dispute_ended_at", keep: "400 days" },
  { table: "account_looks", why: "security", column: "day", keep: "2 days" },
  { table: "reconcile_runs", why: "diagnosis", column: "started_at", keep: "400 days" },
  { table: "rail_comparisons", why: "diagnosis", column: "created_at", keep: "400 days" },
  { table: "card_charges", why: "fraud", column: "created_at", keep: "400 days" },
  { table: "calls", why: "disputes", column: "created_at", keep: "400 days", only: "done_at is not null" },
  { table: "simulator_charges", why: "simulation", column: "created_at", keep: "400 days" },
];

/** What a rule is about, by a name of its own. */
export const nameOfRule = ({ table, part }: Rule) => (part ? `${table}_${part}` : table);

/** The rules as pages show them. */
export const shownRetention = () =>
  retention.map((rule) => ({ what: nameOfRule(rule), why: rule.why, keep: rule.keep }));
