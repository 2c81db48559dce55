import { z } from "zod";
import { CursorMeta, CursorQuery, PageQuery, pageOf } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { ReceiverUrl } from "@/lib/receivers/schema";
import { time } from "@/lib/time/schema";
import { deliveryErrors } from "@/lib/webhooks/states";
import { DeliveryStatus } from "@/prisma/client/enums";

/**
 * What a webhook can be registered for, by the published interface; `all` is the whole cash contract and no more, and
 * `cashin_legacy` the old API's postback of every deposit.
 */
export const webhookEvents = [
  "cashin",
  "cashin_legacy",
  "cashout",
  "infraction",
  "all",
  "transaction",
  "refund",
  "card",
  "assinatura_criada",
  "assinatura_ativada",
  "assinatura_em_atraso",
  "assinatura_suspensa",
  "assinatura_cancelada",
  "assinatura_reativada",
  "assinatura_renovada",
  "assinatura_expirada",
  "assinatura_plano_alterado",
  "cobranca_gerada",
  "cobranca_paga",
  "cobranca_falhou",
  "cobranca_retentativa",
  "mandato_ativado",
  "mandato_cancelado",
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** What events are about that webhooks may be told of. */
export const eventSubjects = ["transaction", "refund", "subscription", "dispute", "withdrawal"] as const;

const title = z.string().trim().min(1).max(255);
const event = z.enum(webhookEvents);
const products = z.array(z.string().trim().min(1).max(64)).max(100);

export const WebhookInput = z.object({
  title,
  url: ReceiverUrl,
  event,
  trigger_all_products: z.boolean().default(true),
  products: products.default([]),
});
export type WebhookInput = z.output<typeof WebhookInput>;

/** A change keeps what it does not name. */
export const WebhookChange = z.object({
  title: title.optional(),
  url: ReceiverUrl.optional(),
  event: event.optional(),
  trigger_all_products: z.boolean().optional(),
  products: products.optional(),
});
export type WebhookChange = z.output<typeof WebhookChange>;

export const Webhook = z.object({
  id: z.int(),
  title: z.string(),
  url: z.string(),
  event,
  trigger_all_products: z.boolean(),
  products: z.array(z.string()),
  token_prefix: z.string(),
  token_last4: z.string(),
  previous_token_expires_at: time.nullable().meta({ description: "Until when a former secret is still used" }),
  status: z.enum(["active", "failing", "disabled"]),
  disabled_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Webhook = z.output<typeof Webhook>;

/** The answer that holds the signing secret, in both of its spellings. */
export const CreatedWebhook = Webhook.extend({
  token: z.string().meta({ description: "Signing secret, 43 base64url characters, shown once" }),
  secret: z
    .string()
    .meta({ description: "whsec_ + base64 of the token's characters, for Standard Webhooks libraries" }),
});
export type CreatedWebhook = z.output<typeof CreatedWebhook>;

/** The answer has the new signing secret only when the address moved to another origin. */
export const ChangedWebhook = Webhook.extend(CreatedWebhook.pick({ token: true, secret: true }).partial().shape);
export type ChangedWebhook = z.output<typeof ChangedWebhook>;

export const RotateInput = z.object({
  immediately: z.boolean().default(false).meta({ description: "The former secrets are not used from now on" }),
});
export type RotateInput = z.output<typeof RotateInput>;
export const RotatedSecret = CreatedWebhook.pick({
  id: true,
  token: true,
  secret: true,
  previous_token_expires_at: true,
});
export type RotatedSecret = z.output<typeof RotatedSecret>;

export const TestInput = z.object({
  event: z
    .string()
    .trim()
    .max(100)
    .optional()
    .meta({ description: "One of the names under which the webhook gets events" }),
});
export type TestInput = z.output<typeof TestInput>;

/** What a receiver said to a test. */
export const TestedWebhook = z.object({
  data: z.object({
    event: z.string(),
    event_id: z.uuid(),
    is_made_up: z
      .boolean()
      .meta({ description: "Whether the account has no event of the kind that the test could be like" }),
    request_body: z.string(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable(),
    error: z.enum(deliveryErrors).nullable(),
    duration_ms: z.int(),
  }),
});
export type TestedWebhook = z.output<typeof TestedWebhook>;

export const WebhookQuery = PageQuery.extend({ search: z.string().trim().max(200).optional() });
export type WebhookQuery = z.output<typeof WebhookQuery>;
export const WebhookPage = pageOf(Webhook);
export type WebhookPage = z.output<typeof WebhookPage>;

const DeliveryError = z.enum(deliveryErrors);

export const DeliveryAttempt = z.object({
  attempt: z.int(),
  request_body: z.string().nullable(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  error: DeliveryError.nullable(),
  duration_ms: z.int(),
  created_at: time,
});

/**
 * What a delivery is about, as it was then: whom or what a person recognises it by, and the records that it is about, the
 * closest first. Null once its event is no longer kept.
 */
const DeliveryAbout = z
  .object({
    name: z.string().nullable(),
    amount: z.string().nullable().meta({ description: "Reais, two decimals", example: "19.99" }),
    records: z.array(z.object({ subject: z.string(), id: z.string() })),
  })
  .nullable();

/** One event for one receiver. The `response_*`, `error` and `duration_ms` members are of the last attempt. */
export const Delivery = z.object({
  id: z.uuid(),
  event: z.string(),
  event_id: z.uuid(),
  about: DeliveryAbout,
  url: z.string(),
  attempt: z.int().meta({ description: "Attempts made so far" }),
  status: z.enum(DeliveryStatus),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  error: DeliveryError.nullable(),
  duration_ms: z.int().nullable(),
  created_at: time,
  next_attempt_at: time.nullable(),
  attempts: z.array(DeliveryAttempt).meta({ description: "The last twenty attempts, the last one first" }),
});
export type Delivery = z.output<typeof Delivery>;

export const DeliveryQuery = CursorQuery.extend({
  status: z.enum(DeliveryStatus).optional(),
  event: z.string().trim().max(100).optional(),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;
export const DeliveryPage = z.object({ data: z.array(Delivery), meta: CursorMeta });
export type DeliveryPage = z.output<typeof DeliveryPage>;

export const DeliveryAnswer = z.object({ data: Delivery });
export const RemovedWebhook = z.object({ message: z.string() });

/** How often an event was given to receivers, by what became of it. */
const DeliveryCounts = z.object({
  delivered: z.int(),
  pending: z.int().meta({ description: "Not attempted yet" }),
  failed: z.int().meta({ description: "Will be attempted again" }),
  exhausted: z.int(),
});

/** An event that webhooks may be told of, whether or not any was. */
export const EventItem = z.object({
  id: z.uuid().meta({ description: "The `event_id` of its body, and the `webhook-id` of every attempt" }),
  names: z.array(z.string()).meta({ description: "The names under which webhooks get it" }),
  subject: z.enum(eventSubjects),
  about: DeliveryAbout,
  occurred_at: time,
  created_at: time.meta({ description: "In real time; `occurred_at` is on the clock of the account" }),
  deliveries: DeliveryCounts,
});
export type EventItem = z.output<typeof EventItem>;

/** The days are those of `created_at`. */
export const EventQuery = CursorQuery.extend({ subject: z.enum(eventSubjects).optional(), ...period });
export type EventQuery = z.output<typeof EventQuery>;
export const EventPage = z.object({ data: z.array(EventItem), meta: CursorMeta });
export type EventPage = z.output<typeof EventPage>;

export const EventDetail = EventItem.extend({
  deliveries: z.array(
    Delivery.extend({
      webhook: z
        .object({ id: z.int(), title: z.string() })
        .nullable()
        .meta({ description: "Null of the charge's own callback" }),
    }),
  ),
});
export type EventDetail = z.output<typeof EventDetail>;
export const EventAnswer = z.object({ data: EventDetail });
export type EventAnswer = z.output<typeof EventAnswer>;

/** Which events to send again. The period is one of days, which are both included, or of instants, in real time. */
export const ReplayInput = z
  .object(period)
  .required()
  .extend({
    only_failed: z.boolean().default(false).meta({ description: "Leaves out what was delivered" }),
    dry_run: z.boolean().default(false).meta({ description: "Only counts" }),
  });
export type ReplayInput = z.output<typeof ReplayInput>;

/** A replay, or the count of what one would send. */
export const Replay = z.object({
  id: z.uuid().nullable(),
  state: z.enum(["dry_run", "running", "done", "stopped"]),
  from: time,
  to: time,
  only_failed: z.boolean(),
  again: z.int().meta({ description: "Deliveries that would be made again" }),
  missing: z.int().meta({ description: "Events that the webhook was never sent" }),
  total: z.int(),
  total_is_exact: z.boolean().meta({ description: "False where there are more: 10,000 events are counted one by one" }),
  planned: z.int().meta({ description: "How many deliveries are planned so far" }),
  reached_at: time.meta({ description: "Up to when events were looked at" }),
  created_at: time.nullable(),
  ended_at: time.nullable(),
});
export type Replay = z.output<typeof Replay>;
export const ReplayAnswer = z.object({ data: Replay });
export type ReplayAnswer = z.output<typeof ReplayAnswer>;
/** The webhook's last replay. */
export const LastReplay = z.object({ data: Replay.nullable() });
export type LastReplay = z.output<typeof LastReplay>;
