import { asSystem } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { feesOfMail, type MailContent, type Template } from "@/lib/mail/templates";
import { contentContext, type Mail } from "@/lib/mail/write";
import { methods } from "@/lib/methods/methods";
import { writeLinkMails } from "@/lib/users/link-mails";
import { decrypt } from "@/lib/vault/vault";
import type { Mail as MailRow } from "@/prisma/client/client";

/** An address of ours, of the moment: other tests of the process have others. */
const ours = (path: string) => env.APP_URL + path;
const at = "2026-11-20T17:05:00.000Z";

type AboutCharge = "charge_due" | "charge_overdue" | "charge_paid" | "card_failed" | "subscription_suspended";

const aCharge = <T extends AboutCharge>(template: T) => ({
  ...{
    template,
    seller: "Ateliê Aurora",
    plan: "Clube do livro",
    name: "Bento Reis",
    amount: 4990,
    dueDay: "2026-11-20",
    isDueToday: false,
    product: "Assinaturas",
    nextDay: "2026-12-20",
    method: "credit_card" as const,
    notice: "made" as const,
    isLast: false,
    codeDay: "2026-11-27",
    suspendedOn: "2026-11-28",
    triedOn: "2026-11-22",
    lastDay: null,
    isCancelled: false,
  },
  get url() {
    return ours("/checkout/1?payment=2");
  },
  get payerUrl() {
    return ours("/checkout/subscription/3");
  },
});

const anEnd = {
  ...{ seller: "Ateliê Aurora", plan: "Clube do livro", name: "Bento Reis", product: "Assinaturas", dropped: 4990 },
  get url() {
    return ours("/checkout/subscription/3");
  },
};

const conditionsIn = <T extends "account_approved" | "account_changed">(template: T) => ({
  ...{ template, seller: "Ateliê Aurora" },
  features: ["cards" as const, "recurring" as const],
  ...feesOfMail((name) => ({ ...methods[name].fee.initial, ...(name === "pix" && { minimum: 50 }) })),
  ...{ refundFee: 150, chargebackFee: 2_500, cardSettlementDays: 30, storageLimitMb: 102_400 },
  ...{ withdrawalFee: 350, withdrawalLimit: 1_000_000, withdrawalDayLimit: 5_000_000 },
  ...{ withdrawalNightLimit: 100_000, newKeyLimit: 100_000 },
  approvalAbove: null,
  get url() {
    return ours("/home");
  },
});

const aRefund = {
  ...{ name: "Bento Reis", what: "Caderno de capa dura", amount: 4_000 },
  get url() {
    return ours("/x/refunds/rfd_5");
  },
};

const aWithdrawal = { seller: "Ateliê Aurora", amount: 120_000, owner: "Bento Reis", at };

/** One content of each template, with names as people write them. */
export const contents: { [T in Template]: Extract<MailContent, { template: T }> } = {
  split_invited: {
    template: "split_invited",
    seller: "Ateliê Aurora",
    sellerEmail: "ana@atelieaurora.com.br",
    plan: "Clube do livro",
    amount: 4990,
    periodicityDays: 30,
    percentage: 1250,
    get url() {
      return ours("/invitations/9f2c");
    },
  },
  account_approved: conditionsIn("account_approved"),
  account_changed: conditionsIn("account_changed"),
  rail_missing: {
    template: "rail_missing",
    seller: "Ateliê Aurora",
    method: "pix",
    get url() {
      return ours("/operator/accounts");
    },
  },
  split_accepted: {
    template: "split_accepted",
    recipient: "Bento Reis",
    plan: "Mensal",
    product: "Clube do livro",
    percentage: 1250,
    get url() {
      return ours("/x/products/1");
    },
  },
  split_cancelled: { template: "split_cancelled", seller: "Ateliê Aurora", plan: "Clube do livro" },
  charge_due: aCharge("charge_due"),
  charge_overdue: aCharge("charge_overdue"),
  charge_paid: aCharge("charge_paid"),
  card_failed: aCharge("card_failed"),
  card_expiring: {
    template: "card_expiring",
    ...{ seller: "Ateliê Aurora", plan: "Clube do livro", name: "Bento Reis", last4: "4242", expiresOn: "2026-12-31" },
    get url() {
      return ours("/checkout/1?payment=2");
    },
  },
  get subscription_ending() {
    return { ...anEnd, template: "subscription_ending" as const, by: "payer" as const, lastDay: "2026-12-19" };
  },
  get subscription_cancelled() {
    return { ...anEnd, template: "subscription_cancelled" as const, by: null };
  },
  subscription_suspended: aCharge("subscription_suspended"),
  cancelled_by_payer: {
    template: "cancelled_by_payer",
    ...{ name: "Bento Reis", plan: "Clube do livro", product: "Assinaturas", amount: 4990, lastDay: "2026-12-19" },
    get url() {
      return ours("/x/subscriptions/4");
    },
  },
  suspensions_of_day: {
    template: "suspensions_of_day",
    ...{ count: 3, name: "Bento Reis", plan: "Clube do livro", day: "2026-11-28" },
    get url() {
      return ours("/x/subscriptions/overdue?status=suspended");
    },
  },
  link_paid: {
    template: "link_paid",
    seller: "Ateliê Aurora",
    name: "Bento Reis",
    what: "Caderno de capa dura",
    amount: 4990,
    method: "pix",
    at,
    get url() {
      return ours("/checkout/1?payment=2");
    },
  },
  payer_refunded: {
    template: "payer_refunded",
    ...{ seller: "Ateliê Aurora", name: "Bento Reis", what: "Caderno de capa dura", amount: 4_000, paid: 4_990, at },
    ...{ method: "card", last4: "4242" },
    get url() {
      return ours("/checkout/1?payment=2");
    },
  },
  refund_requests_of_day: {
    template: "refund_requests_of_day",
    ...{ count: 3, amount: 4_000, by: "credential", who: "Loja", day: "2026-11-20" },
    get url() {
      return ours("/x/refunds?status=pending");
    },
  },
  get refund_rejected() {
    const why = { category: "insufficient_documentation" as const, reason: "Faltou o comprovante de envio." };
    return { template: "refund_rejected" as const, ...aRefund, ...why };
  },
  get refund_failed() {
    return { template: "refund_failed" as const, ...aRefund };
  },
  get refund_completed() {
    return { template: "refund_completed" as const, ...aRefund, fee: 150, method: "pix" as const };
  },
  get dispute_opened() {
    return { template: "dispute_opened" as const, ...aRefund, deadline: at };
  },
  get dispute_reminder() {
    return { template: "dispute_reminder" as const, ...aRefund, deadline: at, hours: 24 };
  },
  get dispute_ended() {
    return { template: "dispute_ended" as const, ...aRefund, outcome: "lost" as const, lost: 4_000 };
  },
  refund_waiting: {
    template: "refund_waiting",
    ...{ seller: "Ateliê Aurora", amount: 4_000, at },
    get url() {
      return ours("/operator/refunds");
    },
  },
  certificate_ending: {
    ...{ template: "certificate_ending", provider: "Banco Norte", days: 7, endsAt: at },
    get url() {
      return ours("/operator/providers/norte");
    },
  },
  audit_published: {
    template: "audit_published",
    ...{ root: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", accounts: 2_410, links: 918_204 },
    ...{ faults: 1, at },
    get url() {
      return ours("/operator/audit");
    },
  },
  review_waiting: {
    template: "review_waiting",
    ...{ seller: "Ateliê Aurora", about: "account" },
    get url() {
      return ours("/operator/accounts/1");
    },
  },
  document_refused: {
    template: "document_refused",
    ...{ kind: "address", reason: "O comprovante tem mais de três meses." },
    get url() {
      return ours("/x/settings/documents");
    },
  },
  profile_decided: {
    template: "profile_decided",
    ...{ outcome: "rejected", reason: "O CNPJ está baixado na Receita." },
    get url() {
      return ours("/x/settings");
    },
  },
  withdrawal_asked: {
    template: "withdrawal_asked",
    ...{ ...aWithdrawal, fee: 350, waits: false, by: "credential", who: "ERP" },
    get url() {
      return ours("/x/withdrawals/5");
    },
  },
  withdrawal_ended: {
    template: "withdrawal_ended",
    ...{ ...aWithdrawal, outcome: "failed", reason: "A conta de destino está encerrada." },
    get url() {
      return ours("/x/withdrawals/5");
    },
  },
  staff_moved_money: {
    template: "staff_moved_money",
    ...{ act: "credited", seller: "Ateliê Aurora", amount: 4_000, at },
    ...{ reason: "Tarifa cobrada a mais em outubro.", who: "Nina Alves" },
    get url() {
      return ours("/operator/accounts/x");
    },
  },
  account_closed: { template: "account_closed", seller: "Ateliê Aurora", at },
  confirm_address: {
    template: "confirm_address",
    name: "Ana Prado",
    get url() {
      return ours("/confirm?token=qX3d");
    },
  },
  reset_password: {
    template: "reset_password",
    get url() {
      return ours("/reset?token=s3cr3tT0ken");
    },
    minutes: 30,
  },
  password_changed: { template: "password_changed", name: "Ana Prado", at },
  security_changed: { template: "security_changed", name: "Ana Prado", what: "new_device", from: "203.0.113.7", at },
  team_invited: {
    template: "team_invited",
    ...{ seller: "Loja Aurora", inviter: "Ana Prado", role: "finance", until: at },
    get url() {
      return ours("/join/s3cr3tT0ken");
    },
  },
  member_factor_reset: { template: "member_factor_reset", name: "Bruno Lima", at },
  staff_invited: {
    template: "staff_invited",
    ...{ name: "Olga Prado", days: 3 },
    get url() {
      return ours("/reset/s3cr3tT0ken");
    },
  },
  approval_asked: {
    template: "approval_asked",
    ...{ seller: "Loja Aurora", name: "Bruno Lima", kind: "refund", at },
    get url() {
      return ours("/settings/approvals");
    },
  },
  address_already_known: {
    template: "address_already_known",
    name: "Ana Prado",
    get signInUrl() {
      return ours("/sign-in");
    },
    get resetUrl() {
      return ours("/forgot");
    },
  },
  webhook_failing: {
    template: "webhook_failing",
    title: "Loja",
    receiver: "https://loja.example.com/hooks/repasse",
    since: at,
    disabledAt: "2026-11-21T17:05:00.000Z",
    get url() {
      return ours("/x/webhooks/7");
    },
  },
  link_oversold: {
    template: "link_oversold",
    ...{ what: "Ingresso de sábado", most: 10, count: 12 },
    get url() {
      return ours("/x/payment-links/7");
    },
  },
  webhook_disabled: {
    template: "webhook_disabled",
    title: "Loja",
    receiver: "https://loja.example.com/hooks/repasse",
    since: at,
    get url() {
      return ours("/x/webhooks/7");
    },
  },
};

/** A mail to a new address. */
export function aMail(overrides: Partial<Mail> = {}): Mail {
  const id = newId();
  return {
    intent: `test:${id}`,
    to: { email: `${id}@example.com`, locale: "pt-BR" },
    mode: "live",
    accountId: null,
    content: contents.split_cancelled,
    ...overrides,
  };
}

/** The rows of mails by their intents' order; only the scope of all reads one without an account. */
export const mailsOf = (...intents: string[]) =>
  asSystem(async (tx) => {
    const isOf = (intent: string) => [{ intent }, { intent: { startsWith: `${intent}:` } }];
    const rows = await tx.mail.findMany({ where: { OR: intents.flatMap(isOf) } });
    return intents.flatMap((intent) =>
      rows.filter((row) => row.intent === intent || row.intent.startsWith(`${intent}:`)),
    );
  });

/** What was written to an address, oldest first, with its language. What an SMTP server accepted is no longer there. */
export const lettersTo = (email: string) =>
  asSystem(async (tx) => lettersIn(await tx.mail.findMany({ where: { recipient: email }, orderBy: { id: "asc" } })));

const lettersIn = (rows: readonly MailRow[]) =>
  rows.flatMap(({ id, locale, sealedContent }) =>
    sealedContent
      ? { locale, ...(JSON.parse(decrypt(sealedContent, contentContext(id)).toString()) as MailContent) }
      : [],
  );

/** The secret in the link of an invite's mail, which nobody else is shown. */
export async function secretOfInvite(id: number | string): Promise<string> {
  const secret = secretIn(lettersIn(await mailsOf(`split_invited:${id}`)));
  if (!secret) throw new Error("No mail was written");
  return secret;
}

/** The secret of the newest link that was mailed to an address, without a worker. Undefined where there is none. */
export async function linkMailedTo(email: string): Promise<string | undefined> {
  const isDue = () => asSystem((tx) => tx.mailLink.count({ where: { email, mailDueAt: { not: null } } }));
  while ((await isDue()) > 0) await writeLinkMails(); // another test's batch may have it
  return secretIn(await lettersTo(email));
}

/** The secret of the last link of these mails. */
export const secretIn = (letters: readonly MailContent[]) =>
  letters.flatMap((letter) => ("url" in letter ? (/\/([\w-]{43})$/.exec(letter.url ?? "")?.[1] ?? []) : [])).at(-1);
