import { iso } from "@/lib/clock";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import type { Event, Prisma } from "@/prisma/client/client";
import type { DeliveryContract } from "@/prisma/client/enums";

/** How one event reaches a receiver: in which contract, and under which name. */
export type Route = { contract: DeliveryContract; name: string };

/** A route to the webhooks that are registered for `registration`. */
export type Subscription = Route & { registration: WebhookEvent };

/** What a body says about the event itself; `name` is the event's name on the wire. */
export type Message = Pick<Event, "id" | "data" | "occurredAt"> & { name: string };

/** An event as it is kept, as far as it says what to send to whom. */
export type KeptEvent = Pick<Event, "id" | "type" | "subject" | "data" | "record" | "occurredAt">;

type EventKind<Record> = {
  /** Which registrations get the event; `when` restricts a row to some records. */
  subscriptions: readonly (Route & {
    registrations: readonly WebhookEvent[];
    when?: (record: Record) => boolean;
  })[];
  /** The contract in which the record's own callback gets the event, if it does. */
  callback?: DeliveryContract;
};

type Row<Kept, EventName extends string> = {
  /** Reads the JSON that was kept with the event: the subject's row right after the change, without nulls. */
  read: (record: Prisma.JsonObject) => Kept;
  events: { [Name in EventName]: EventKind<Kept> };
  /** The address of a record's own callback. */
  callbackUrl?: (record: Kept) => string | null;
  /** The body in each contract that the events are sent in. */
  bodies: { [Contract in DeliveryContract]?: (message: Message, record: Kept) => object };
};

/** An event with its record: who gets it, and what each is sent. */
export type OpenEvent = {
  /** The registrations that get the event, each at most once. */
  subscriptions: Subscription[];
  /** The record's own callback, if the event goes there. */
  callback: (Route & { url: string }) | null;
  /** The body for a receiver. Throws when the subject has none in the route's contract. */
  body(route: Route): object;
};

/** Makes a row of the table of subjects (`lib/events/subjects.ts`) from what its noun says about its events. */
export function defineSubject<Kept, EventName extends string>({
  read,
  events,
  callbackUrl,
  bodies,
}: Row<Kept, EventName>) {
  const kindOf = ({ type }: KeptEvent): EventKind<Kept> => {
    if (Object.hasOwn(events, type)) return events[type as EventName];
    throw new Error(`No row describes the event ${type}`);
  };
  function open(event: KeptEvent): OpenEvent {
    const { subscriptions, callback: contract } = kindOf(event);
    const record = read(event.record as Prisma.JsonObject);
    const url = contract && callbackUrl?.(record);
    return {
      subscriptions: subscriptions
        .filter(({ when }) => when?.(record) ?? true)
        .flatMap(({ registrations, contract, name }) =>
          registrations.map((registration) => ({ registration, contract, name })),
        ),
      callback: url ? { contract, name: event.type, url } : null,
      body(route) {
        const render = bodies[route.contract];
        if (!render) throw new Error(`${event.type} has no body in the contract ${route.contract}`);
        return render({ id: event.id, data: event.data, occurredAt: event.occurredAt, name: route.name }, record);
      },
    };
  }
  return { names: Object.keys(events) as EventName[], open };
}

const API_VERSION = "2026-08-16";

/** The first members of a body in the event contract (operations.md section 7). */
export const envelopeOf = ({ name, id, occurredAt }: Message) => ({
  event: name,
  event_id: id,
  occurred_at: iso(occurredAt),
  api_version: API_VERSION,
});
