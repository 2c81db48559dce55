import type { ChargeRow, EventRecord } from "@/lib/billing/event-record";
import type { SubscriptionEvent } from "@/lib/billing/states";
import { type Subscription, subscriptions } from "@/lib/billing/tables";
import { defineSubject, envelopeOf, type Message } from "@/lib/events/subject";
import { presentCharge } from "@/lib/subscriptions/present";
import type { Charge, SubscriptionItem } from "@/lib/subscriptions/schema";
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

type Kept = { subscription: Subscription; next_charge_at: string | null; charge: Charge | null; mandate: Shown | null };

type Kind = { subscriptions: { registrations: WebhookEvent[]; contract: "event"; name: string }[] };

const events = Object.fromEntries([
  ...Object.entries(wireNames).map(([type, name]): [string, Kind] => [
    type,
    { subscriptions: [{ registrations: [name], contract: "event", name }] },
  ]),
  ...unsent.map((type): [string, Kind] => [type, { subscriptions: [] }]),
]) as Record<SubscriptionEvent, Kind>;

/** Events about subscriptions: a flat body. */
export const subscription = defineSubject({
  read: (record): Kept => {
    const { subscription, next_charge_at, charge, mandate } = record as unknown as EventRecord;
    return {
      ...{ subscription: subscriptions.of(subscription), next_charge_at, mandate: mandate ?? null },
      charge: charge && presentCharge(charge as unknown as ChargeRow),
    };
  },
  events,
  aboutOf: ({ subscription: { id, name }, charge }) => ({
    ...{ name, amount: charge?.amount ?? null },
    records: [
      ...(charge?.payment.identifier ? [{ subject: "transaction", id: charge.payment.identifier }] : []),
      { subject: "subscription", id },
    ],
  }),
  productOf: ({ subscription }) => subscription.productId,
  bodies: {
    event: (message: Message, { subscription, next_charge_at, charge, mandate }: Kept) => ({
      ...envelopeOf(message),
      subscription_token: subscription.id,
      plan_token: subscription.planId,
      status: subscription.status,
      next_charge_at,
      ...(charge && { charge }),
      ...(mandate && { mandate }),
    }),
  },
});
