import { readStaff } from "@/lib/accounts/addressee";
import { type Actor, sideOf } from "@/lib/actor";
import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import type { MailContent } from "@/lib/mail/templates";
import { type Mail, writeMails } from "@/lib/mail/write";
import { mailTo, readNotified } from "@/lib/notifications/addressees";
import { codeOf, refundOf } from "@/lib/refunds/record";
import { waitingIn } from "@/lib/refunds/review";
import { localTime } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { type Sale, type SoldItems, saleOf } from "@/lib/transactions/sale";
import type { Refund } from "@/prisma/client/client";

/** What happened to a refund, as it was then, and its sale as it is now. */
type Reported = { refund: Refund; sale: Sale; seller: string; email: string | null; actor: Actor | null; at: Date };

/**
 * A consumer of events. Who paid is written to when the money went back; the seller when a refund was refused, failed or
 * was completed, and once a local day when others asked for some; and the operator's staff when one waits, unless another
 * waited before it.
 */
export async function mailRefunds(query: Query, events: readonly Happened[]): Promise<undefined> {
  const reported = await readReported(query, events.filter(isReported));
  if (reported.length === 0) return;
  const toPayers = reported.filter(({ refund }) => refund.status === "completed").flatMap(mailToPayer);
  const toSellers = await mailsToSellers(query, reported);
  await writeMails(query, [...toPayers, ...toSellers, ...(await mailsToStaff(query, reported))]);
}

/** What a seller does by taking a request back, and what the staff decides before the money moves, is not written of. */
const isReported = ({ subject, data }: Happened) =>
  subject === "refund" && ["pending", "rejected", "failed", "completed"].includes((data as { status: string }).status);

/** The sales of these refunds, with their sellers' names and the e-mails of their subscriptions. */
async function readReported(query: Query, events: readonly Happened[]): Promise<Reported[]> {
  if (events.length === 0) return [];
  const refunds = events.map(({ record, actor, occurredAt: at }) => {
    return { ...refundOf(record as Row), actor: actor as Actor | null, at };
  });
  const found = await query<Found>("refunds_reported", SALES, [
    refunds.map(({ refund }) => refund.accountId),
    refunds.map(({ refund }) => refund.transactionId),
  ]);
  const known = new Map(found.map(({ sale, ...rest }) => [String(sale.id), { ...rest, sale: saleOf(sale) }]));
  return refunds.flatMap(({ refund, actor, at }) => {
    const ofSale = known.get(refund.transactionId);
    return ofSale ? [{ ...ofSale, refund, actor, at }] : [];
  });
}

type Found = { sale: Row; seller: string; email: string | null };

const SALES = `select to_jsonb(t) as sale, a.name as seller, s.email
  from unnest($1::uuid[], $2::uuid[]) as given(account_id, id)
  cross join lateral (select * from transactions where account_id = given.account_id and id = given.id offset 0) t
  cross join lateral (select name from accounts where id = given.account_id offset 0) a
  left join lateral (
    select email from subscriptions where account_id = given.account_id and id = t.subscription_id offset 0
  ) s on true`;

/** A subscription's payer is written to where all its mails go. */
function mailToPayer({ refund, sale, seller, email, at }: Reported): Mail[] {
  const to = email ?? sale.clientEmail;
  if (to === null) return [];
  const page = sale.paymentLinkId ?? (sale.origin === "api" ? null : sale.planId);
  return [
    {
      ...{ intent: `payer_refunded:${refund.id}`, to: { email: to, locale: "pt-BR" } },
      ...{ mode: refund.mode, accountId: refund.accountId, occurredAt: at },
      content: {
        ...{ template: "payer_refunded", seller, name: sale.clientName, what: whatOf(sale) ?? seller },
        ...{ amount: Number(refund.amount), paid: Number(sale.amount), at: iso(at) },
        ...{ method: sale.method, last4: sale.cardLast4 },
        url: page && `${env.APP_URL}/checkout/${page}?payment=${sale.id}`,
      },
    },
  ];
}

const whatOf = ({ checkout, description }: Sale) => (checkout as SoldItems | null)?.name ?? description;

async function mailsToSellers(query: Query, reported: readonly Reported[]): Promise<Mail[]> {
  const accountIds = [...new Set(reported.map(({ refund }) => refund.accountId))].sort();
  const requests = reported.filter(({ refund, actor }) => refund.status === "pending" && sideOf(actor) === "seller");
  const askers = requests.length > 0 ? await readAskers(query, accountIds, requests) : [];
  // In the order of the accounts: another transaction that writes of the same day waits for this one, and never in a ring.
  return (await readNotified(query, "refunds", accountIds)).flatMap((addressee) => {
    const isOf = ({ refund }: Reported) => refund.accountId === addressee.accountId;
    const isOwn = ({ actor }: Reported) =>
      askers.some(({ id, email }) => id === actor?.id && email === addressee.to.email);
    const asked = requestsOfDays(
      requests.filter((one) => isOf(one) && !isOwn(one)),
      askers,
    );
    return [...asked, ...reported.filter(isOf).flatMap(mailOfEnd)].map((mail) => mailTo(addressee, mail));
  });
}

type ToSeller = { intent: string; content: MailContent; occurredAt: Date };
type Asker = { id: string; name: string; email: string | null };

/** The people and the credentials that asked for refunds. */
const readAskers = (query: Query, accountIds: readonly string[], requests: readonly Reported[]) =>
  query<Asker>("refunds_askers", ASKERS, [accountIds, requests.flatMap(({ actor }) => actor?.id ?? [])]);

const ASKERS = `select id, name, email from users where id = any($2::uuid[])
  union all select client_id, name, null from credentials
    where account_id = any($1::uuid[]) and client_id = any($2::uuid[])`;

/** One mail for all requests of a day; its intent lets only the first of a day be written. */
function requestsOfDays(requests: readonly Reported[], askers: readonly Asker[]): ToSeller[] {
  const dayOf = ({ at }: Reported) => localTime(at).slice(0, 10);
  return [...new Set(requests.map(dayOf))].flatMap((day) => {
    const ofDay = requests.filter((one) => dayOf(one) === day);
    const [first] = ofDay;
    if (!first) return [];
    const { refund, actor, at } = first;
    const list = `${env.APP_URL}/${refund.accountId}/refunds`;
    return [
      {
        ...{ intent: `refund_requests_of_day:${refund.accountId}:${day}`, occurredAt: at },
        content: {
          ...{ template: "refund_requests_of_day", count: ofDay.length, amount: Number(refund.amount), day },
          by: actor?.kind === "person" ? "person" : "credential",
          who: askers.find(({ id }) => id === actor?.id)?.name ?? null,
          url: ofDay.length === 1 ? `${list}/${codeOf(refund)}` : `${list}?status=pending`,
        },
      },
    ];
  });
}

function mailOfEnd({ refund, sale, at: occurredAt }: Reported): ToSeller[] {
  const { accountId, id, status, rejectionCategory: category, rejectionReason: reason } = refund;
  const about = {
    ...{ name: sale.clientName, what: whatOf(sale), amount: Number(refund.amount) },
    url: `${env.APP_URL}/${accountId}/refunds/${codeOf(refund)}`,
  };
  const write = (content: MailContent): ToSeller[] => [{ intent: `${content.template}:${id}`, content, occurredAt }];
  if (status === "rejected" && category) {
    return write({ template: "refund_rejected", ...about, category, reason: reason ?? "" });
  }
  if (status === "failed") return write({ template: "refund_failed", ...about });
  if (status !== "completed") return [];
  return write({ template: "refund_completed", ...about, fee: Number(refund.fee), method: sale.method });
}

type Waiting = { id: string; account: string; amount: number; at: Date; seller: string };

/**
 * The staff is written to of the live refund that waits for the longest time, unless it waited before these were requested:
 * then it was written of, and whoever decides about it sees these in the queue. Of each seller they read once a local day.
 */
async function mailsToStaff(query: Query, reported: readonly Reported[]): Promise<Mail[]> {
  const requested = reported.filter(({ refund }) => refund.status === "pending" && refund.mode === "live");
  if (requested.length === 0) return [];
  const [waiting] = await query<Waiting>("refunds_waiting", WAITING, []);
  if (!waiting || requested.every(({ refund }) => refund.id > waiting.id)) return [];
  const { account, seller, amount, at } = waiting;
  return (await readStaff(query)).map(({ id: personId, to }) => ({
    ...{
      intent: `refund_waiting:${account}:${localTime(at).slice(0, 10)}:${personId}`,
      to,
      mode: null,
      accountId: null,
    },
    content: { template: "refund_waiting", seller, amount, at: iso(at), url: `${env.APP_URL}/operator/refunds` },
  }));
}

const WAITING = `select r.id, a.id as account, r.amount::float8 as amount, r.created_at as at, a.name as seller
  from (${waitingIn("live")} limit 1) r
  cross join lateral (select id, name from accounts where id = r.account_id offset 0) a`;
