import type { ChargeRow, EventRecord } from "@/lib/billing/event-record";
import type { SubscriptionEvent } from "@/lib/billing/states";
import { type Subscription, subscriptions } from "@/lib/billing/tables";
import { envelopeNamed, envelopeOf } from "@/lib/events/envelope";
import { defineSubject, EXAMPLE_AT, exampleId, exampleTimes, type Message } from "@/lib/events/subject";
import { presentCharge } from "@/lib/subscriptions/present";
import { Charge, SubscriptionItem } from "@/lib/subscriptions/schema";
import type { WebhookEvent } from "@/lib/webhooks/schema";

/** The events of a subscription that are sent, and their names on the wire, which are also what a webhook registers for. */
const wireNames = {
  "subscription.created": "assinatura_criada",
  "subscription.activated": "assinatura_ativada",
  "subscription.overdue": "assinatura_em_atraso",
  "subscription.suspended": "assinatura_suspensa",
  "subscription.cancelled": "assinatura_cancelada",
  "subscription.reactivated": "assinatura_reativada",
  "subscription.renewed": "assinatura_renovada",
  "subscription.expired": "assinatura_expirada",
  "subscription.plan_changed": "assinatura_plano_alterado",
  "cycle.created": "cobranca_gerada",
  "cycle.paid": "cobranca_paga",
  "cycle.failed": "cobranca_falhou",
  "cycle.retried": "cobranca_retentativa",
  "mandate.activated": "mandato_ativado",
  "mandate.cancelled": "mandato_cancelado",
} as const satisfies Partial<Record<SubscriptionEvent, WebhookEvent>>;

/** What no webhook gets: the interface has no name for it. */
const unsent = ["subscription.ending"] as const satisfies readonly Exclude<SubscriptionEvent, keyof typeof wireNames>[];

type Shown = NonNullable<SubscriptionItem["mandate"]>;

/** What events from before these members were kept have of a mandate. */
const BEFORE = { authorized_at: null, cancelled_at: null, cancel_reason: null };

type Kept = { subscription: Subscription; next_charge_at: string | null; charge: Charge | null; mandate: Shown | null };

type Kind = { subscriptions: { registrations: WebhookEvent[]; contract: "event"; name: string }[] };

const events = Object.fromEntries([
  ...Object.entries(wireNames).map(([type, name]): [string, Kind] => [
    type,
    { subscriptions: [{ registrations: [name], contract: "event", name }] },
  ]),
  ...unsent.map((type): [string, Kind] => [type, { subscriptions: [] }]),
]) as Record<SubscriptionEvent, Kind>;

/** A made-up subscription, a charge of it, and its mandate, each as an event finds it. */
const active = {
  subscription: {
    ...{
      id: exampleId(5),
      account_id: exampleId(0),
      subscriber_id: exampleId(6),
      plan_id: exampleId(7),
      plan_version: 1,
    },
    ...{ status: "active", name: "Ana Souza", email: "ana@example.com", document: "52998224725", ...exampleTimes },
  },
  ...{ next_charge_at: "2026-02-15T12:00:00Z", charge: null, mandate: null },
};
const charge = {
  ...{ number: 1, kind: "cycle", status: "pending", amount: 4_990, due_date: "2026-01-15", expires_at: EXAMPLE_AT },
  ...{ paid_at: null, pix_code: "00020126", identifier: exampleId(1) },
};
const mandate = {
  ...{ id: "RN0000000020260115exemplo", status: "approved", authorized_at: EXAMPLE_AT, created_at: EXAMPLE_AT },
  ...{ cancelled_at: null, cancelled_by: null, cancel_reason: null },
};
const then: Partial<Record<SubscriptionEvent, object>> = {
  "subscription.created": { status: "pending_first_payment" },
  "subscription.overdue": { status: "overdue" },
  "subscription.suspended": { status: "suspended" },
  "subscription.cancelled": { status: "cancelled" },
  "subscription.expired": { status: "cancelled" },
  "cycle.paid": { status: "paid", paid_at: EXAMPLE_AT },
  "cycle.failed": { status: "failed" },
  "mandate.cancelled": {
    ...{ status: "cancelled", cancelled_at: EXAMPLE_AT },
    cancelled_by: "payer",
    cancel_reason: "SLDB",
  },
};
const exampleOf = (type: keyof typeof wireNames) => {
  if (type.startsWith("cycle.")) return { ...active, charge: { ...charge, ...then[type] } };
  if (type.startsWith("mandate.")) return { ...active, mandate: { ...mandate, ...then[type] } };
  return { ...active, subscription: { ...active.subscription, ...then[type] } };
};

/** Events about subscriptions: a flat body. */
export const subscription = defineSubject({
  read: (record): Kept => {
    const { subscription, next_charge_at, charge, mandate } = record as unknown as EventRecord;
    return {
      ...{ subscription: subscriptions.of(subscription), next_charge_at },
      mandate: mandate && { ...BEFORE, ...mandate },
      charge: charge && presentCharge(charge as unknown as ChargeRow),
    };
  },
  events,
  examples: (Object.keys(wireNames) as (keyof typeof wireNames)[]).map((type) => ({
    ...{ type, data: {}, record: exampleOf(type) },
  })),
  aboutOf: ({ subscription: { id, name }, charge }) => ({
    ...{ name, amount: charge?.amount ?? null },
    records: [
      ...(charge?.payment.identifier ? [{ subject: "transaction", id: charge.payment.identifier }] : []),
      { subject: "subscription", id },
    ],
  }),
  productOf: ({ subscription }) => subscription.productId,
  bodies: {
    event: {
      make: (message: Message, { subscription, next_charge_at, charge, mandate }: Kept) => ({
        ...envelopeOf(message),
        subscription_token: subscription.id,
        plan_token: subscription.planId,
        status: subscription.status,
        next_charge_at,
        ...(charge && { charge }),
        ...(mandate && { mandate }),
      }),
      schema: bodyNamed,
    },
  },
});

/** A charge's own events always have it, and a mandate's have that alone; other events have a charge where one made them. */
function bodyNamed(name: string) {
  const { token, plan, status, next_charge_at, mandate } = SubscriptionItem.shape;
  const flat = { subscription_token: token, plan_token: plan.shape.token, status, next_charge_at };
  const body = envelopeNamed(name).extend(flat);
  if (name.startsWith("mandato_")) return body.extend({ mandate: mandate.unwrap() });
  return body.extend({ charge: name.startsWith("cobranca_") ? Charge : Charge.optional() });
}
