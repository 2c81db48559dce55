/**
 * Who can make each table grow, what bounds it, and when its rows go: of every table (lib/jobs/growth.test.ts). Who is
 * `seller` may also be the holder of a free sandbox; `visitor` is anybody without an account. What is `stored` is counted
 * (lib/accounts/storage.ts), so that an account's own writes end at its limit of thirty days, and a day's by visitors at
 * theirs. What no rule of lib/privacy/retention.ts names stays, because it is money's history or somebody's settings.
 */
type Growth = {
  by: readonly ("seller" | "visitor" | "staff" | "loops")[];
  /** `stored`, or what else bounds it. */
  bound: "stored" | (string & {});
  goes: "retention" | "never" | (string & {});
};

const kept = { by: ["seller"], bound: "stored", goes: "never" } as const satisfies Growth;
const sold = { by: ["seller", "visitor", "loops"], bound: "stored", goes: "never" } as const satisfies Growth;
const reported = { by: ["loops"], bound: "stored", goes: "retention" } as const satisfies Growth;

export const growth: Record<string, Growth> = {
  // What accounts are and set up
  accounts: {
    by: ["visitor", "seller"],
    bound: "two for each sign-up whose mail was followed, and 20 resets of a sandbox a day",
    goes: "never",
  },
  users: { by: ["visitor", "staff"], bound: "one for each sign-up whose mail was followed", goes: "never" },
  memberships: { by: ["visitor"], bound: "one for each sign-up whose mail was followed", goes: "never" },
  account_images: { by: ["seller"], bound: "one of an account, 1 MB", goes: "with the next image" },
  account_documents: {
    by: ["seller"],
    bound: "20 of an account that are not refused, 4 MB each, one of a kind undecided, and stored",
    goes: "retention",
  },
  profile_requests: { by: ["seller"], bound: "one open of an account at once, by persons alone", goes: "never" },
  account_notes: { by: ["staff"], bound: "what the staff writes by hand", goes: "never" },
  account_looks: { by: ["staff"], bound: "one of a person, an account and a day", goes: "retention" },
  reconcile_runs: {
    by: ["loops", "staff"],
    bound: "one a day, and one for each that the staff asks for",
    goes: "retention",
  },
  rail_comparisons: {
    by: ["loops", "staff"],
    bound: "one a day of a PSP, and one for each that the staff asks for",
    goes: "retention",
  },
  reconcile_differences: { by: ["loops"], bound: "1,000 of a comparison", goes: "never" },
  team_invitations: { by: ["seller"], bound: "100 of an account at once, by persons alone", goes: "never" },
  approvals: { by: ["seller"], bound: "what persons of an account ask of one another", goes: "never" },
  recovery_codes: { by: ["seller", "staff"], bound: "10 of a person", goes: "with the next ones" },
  known_devices: { by: ["seller", "staff"], bound: "two of a sign-in with the right password", goes: "retention" },
  account_storage: { by: ["loops"], bound: "a row a day of an account", goes: "retention" },
  credentials: kept,
  public_keys: { by: ["seller"], bound: "one of an account", goes: "never" },
  card_domains: { by: ["seller"], bound: "10 of an account", goes: "when its seller removes it" },
  tracking_integrations: { by: ["seller"], bound: "one of an account", goes: "when it is deactivated" },
  webhooks: { by: ["seller"], bound: "50 of an account at once, and stored", goes: "never" },
  webhook_previous_tokens: { by: ["seller"], bound: "4 of a webhook", goes: "with the next rotation" },
  products: { by: ["seller"], bound: "1,000 of an account", goes: "never" },
  product_images: { by: ["seller"], bound: "one of a product, 1 MB", goes: "with the next image" },
  plans: { by: ["seller"], bound: "5,000 of an account", goes: "never" },
  plan_versions: kept,
  plan_splits: kept,
  payment_links: { by: ["seller"], bound: "10,000 of an account", goes: "never" },

  // What is sold, and the money
  transactions: sold,
  shares: sold,
  refunds: { by: ["seller"], bound: "100 of a sale, and stored", goes: "never" },
  refund_shares: { by: ["seller"], bound: "one of a refund and recipient", goes: "never" },
  withdrawals: { by: ["seller"], bound: "what the balance allows, and stored", goes: "never" },
  withdrawal_returns: { by: ["loops"], bound: "what a rail sends back of a withdrawal", goes: "never" },
  payout_stops: { by: ["staff"], bound: "one of a rail or an account", goes: "when it is lifted" },
  disputes: { by: ["loops"], bound: "what a rail reports of paid sales", goes: "never" },
  dispute_shares: { by: ["loops"], bound: "one of a dispute and recipient", goes: "never" },
  dispute_blocks: {
    by: ["loops"],
    bound: "one of each time that something is blocked of one that is short",
    goes: "never",
  },
  dispute_files: { by: ["seller"], bound: "5 of a dispute, 5 MB each", goes: "retention" },
  adjustments: { by: ["staff"], bound: "what the staff does by hand", goes: "never" },
  events: sold,
  audit_links: { by: ["loops"], bound: "one of an event", goes: "never" },
  audit_marks: { by: ["loops"], bound: "one of an account in which something happened, a day", goes: "never" },
  audit_publications: { by: ["loops"], bound: "one a day", goes: "never" },
  audit_walks: { by: ["loops"], bound: "one of each walk over all events", goes: "with the end of its walk" },
  outbox: {
    by: ["seller", "visitor", "loops"],
    bound: "the events that nobody has taken yet",
    goes: "when it is taken",
  },
  outbox_of_consumers: {
    by: ["seller", "loops"],
    bound: "the changes by hand that are not linked yet, and the events that a consumer could not consume",
    goes: "when it is taken",
  },
  subscribers: sold,
  subscriptions: sold,
  cycles: sold,
  mandates: sold,
  stored_cards: sold,
  ledger_postings: sold,
  ledger_entries: sold,
  ledger_tail: { by: ["seller", "visitor", "loops"], bound: "stored", goes: "when it is folded, within seconds" },
  ledger_snapshots: { by: ["loops"], bound: "four of an account", goes: "never" },
  ledger_days: { by: ["loops"], bound: "one of an account, day, kind and type of posting", goes: "never" },
  rollups: { by: ["loops"], bound: "some of an account and day with sales", goes: "never" },
  earnings: { by: ["loops"], bound: "stored, with the seller's sale", goes: "never" },
  earning_totals: { by: ["loops"], bound: "one of a recipient, month, seller and plan", goes: "never" },
  unmatched_receipts: { by: ["loops"], bound: "one of a payment that a rail holds", goes: "never" },
  card_charges: { ...sold, goes: "retention" },
  calls: { ...sold, goes: "retention" },
  clock_advances: { ...kept, goes: "retention" },
  erasures: kept,

  // What is reported, and to whom
  deliveries: reported,
  webhook_replays: { by: ["seller"], bound: "one of a webhook at once", goes: "retention" },
  delivery_bodies: reported,
  delivery_attempts: reported,
  tracking_orders: { by: ["loops"], bound: "one of an event of a sale", goes: "retention" },
  mails: { by: ["seller", "loops", "visitor"], bound: "stored, and the mails of a day", goes: "retention" },

  // What is needed for a while
  idempotency_keys: { by: ["seller", "visitor"], bound: "stored", goes: "retention" },
  card_tokens: { by: ["seller", "visitor"], bound: "stored", goes: "retention" },
  request_log: {
    by: ["seller", "visitor"],
    bound: "stored; what a full account asks is not logged",
    goes: "retention",
  },
  access_tokens: {
    by: ["seller"],
    bound: "60 a minute of a credential, 600 of an address, for an hour",
    goes: "retention",
  },
  sessions: { by: ["seller"], bound: "30 a minute of an address, for 12 hours", goes: "retention" },
  mail_links: { by: ["visitor"], bound: "5 a minute of an address, 10 a day of an e-mail", goes: "retention" },
  rate_limits: {
    by: ["seller", "visitor"],
    bound: "a key is an address, or what was found; made-up ones only after the address's own limit",
    goes: "retention",
  },
  rail_looks: { by: ["loops"], bound: "one of a rail", goes: "never" },
  callbacks: { by: ["loops"], bound: "verified callbacks, one of a payment or change", goes: "retention" },
  watches: { by: ["loops"], bound: "one of a payment, a mandate or a debit", goes: "retention" },
  timed_jobs: { by: ["loops"], bound: "one of a job of the timetable", goes: "with its job" },
  pix_providers: { by: ["staff"], bound: "one of a PSP that the staff connects", goes: "never" },
  provider_tokens: { by: ["loops", "staff"], bound: "one of a credential at a provider", goes: "retention" },
  provider_pauses: { by: ["loops"], bound: "one of a provider", goes: "never" },

  // The simulated rails
  simulator_pix: { by: ["seller"], bound: "one of a payment of an open code; stored", goes: "retention" },
  simulator_charges: { by: ["seller", "visitor", "loops"], bound: "one of a card charge; stored", goes: "retention" },
  simulator_cobs: { by: ["seller", "visitor"], bound: "one of an enrolment; stored", goes: "retention" },
  simulator_recs: { by: ["seller", "visitor"], bound: "one of an enrolment; stored", goes: "retention" },
  simulator_card_refunds: { by: ["loops"], bound: "one of a refund", goes: "retention" },
  simulator_orders: { by: ["loops"], bound: "one of a sale", goes: "retention" },
  simulator_payouts: { by: ["loops"], bound: "one of a withdrawal", goes: "retention" },
  simulator_payout_returns: { by: ["loops"], bound: "a hundred of a withdrawal", goes: "retention" },
  simulator_devolucoes: { by: ["loops"], bound: "one of a refund", goes: "retention" },
  simulator_infractions: { by: ["seller"], bound: "one open of a payment", goes: "retention" },
  simulator_chargebacks: { by: ["seller"], bound: "one open of a charge", goes: "retention" },
  simulator_cobrs: { by: ["loops"], bound: "one of a debit; stored", goes: "retention" },
};
