import type { Query } from "@/lib/db";
import { nextEvents, type PastEvent } from "@/lib/events/past";
import type { OpenEvent, Route } from "@/lib/events/subject";
import { kindsFor, openEvent } from "@/lib/events/subjects";
import { routeTo } from "@/lib/webhooks/dispatch";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import type { Webhook } from "@/prisma/client/client";

/** The events of a webhook's account with ids between these two; `onlyFailed` leaves out what was delivered. */
export type Range = { after: string; until: string; onlyFailed: boolean };

/** An event that a replay plans: its delivery again, or the delivery that it never had. */
export type Replayable = { event: PastEvent; open: OpenEvent; route: Route; isMissing: boolean };

/** How many events are looked at in one read. */
export const LOOKED = 250;

/** What a replay plans of the next events of a range, and the last event that was looked at: null where there are no more. */
export async function nextReplayable(query: Query, webhook: Webhook, { after, until, onlyFailed }: Range) {
  const { accountId, id: webhookId } = webhook;
  const registered = { ...webhook, registration: webhook.event };
  const past = { accountId, kinds: kindsFor(webhook.event as WebhookEvent), after, until };
  const { events, last } = await nextEvents(query, past, LOOKED);
  const routed = events.flatMap((event) => {
    const open = openEvent(event);
    const route = routeTo(registered, open);
    return route ? [{ event, open, route }] : [];
  });
  const keys = routed.map(({ event, route }) => ({ event_id: event.id, contract: route.contract }));
  const values = [accountId, webhookId, onlyFailed, JSON.stringify(keys)];
  const rows = await query<{ eventId: string; isMissing: boolean }>("", PLANNABLE, values);
  const plannable = new Map(rows.map(({ eventId, isMissing }) => [eventId, isMissing]));
  const found = routed.flatMap((one): Replayable[] => {
    const isMissing = plannable.get(one.event.id);
    return isMissing === undefined ? [] : [{ ...one, isMissing }];
  });
  return { found, last };
}

/** SQL: a replay plans the delivery `d` again. One that is planned and had no attempt yet is sent anyway. Parameter 3: `onlyFailed`. */
export const isPlannedAgain = (d: string) =>
  `not (${d}.status = 'pending' and ${d}.next_attempt_at is not null) and not ($3::boolean and ${d}.status = 'delivered')`;

const PLANNABLE = `select g.event_id as "eventId", d.id is null as "isMissing"
  from json_to_recordset($4::json) as g(event_id uuid, contract "DeliveryContract")
  left join lateral (
    select * from deliveries where account_id = $1::uuid and event_id = g.event_id and webhook_id = $2::int offset 0
  ) d on d.contract = g.contract
  where d.id is null or ${isPlannedAgain("d")}`;
