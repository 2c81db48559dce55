import { iso } from "@/lib/time/clock";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import type { Event, Prisma } from "@/prisma/client/client";
import type { DeliveryContract } from "@/prisma/client/enums";

/** The contract and the name in which an event is sent to a receiver. */
export type Route = { contract: DeliveryContract; name: string };

/** A route to the webhooks that are registered for `registration`. */
type Subscription = Route & { registration: WebhookEvent };

/** The fields of the event itself that a body may use; `name` is the event's name in that body. */
export type Message = Pick<Event, "id" | "data" | "actor" | "occurredAt"> & { name: string };

/** The stored fields of an event that decide what is sent to whom. */
export type KeptEvent = Pick<Event, "id" | "type" | "subject" | "data" | "record" | "actor" | "occurredAt">;

type EventKind<Kept, Contract extends DeliveryContract> = {
  /** Which registrations get the event; `when` restricts a row to some records, or to some changes of them. */
  subscriptions: readonly {
    registrations: readonly WebhookEvent[];
    contract: Contract;
    name: string;
    when?: (record: Kept, data: Event["data"]) => boolean;
  }[];
  /** The contract in which the record's own callback gets the event, if it does; `callbackWhen` restricts it to some changes. */
  callback?: Contract;
  callbackWhen?: (data: Event["data"]) => boolean;
};

type Row<Kept, EventName extends string, Contract extends DeliveryContract> = {
  /** Parses the JSON that was stored with the event: the subject's row right after the change, without nulls. */
  read: (record: Prisma.JsonObject) => Kept;
  events: { [Name in EventName]: EventKind<Kept, NoInfer<Contract>> };
  /** Made-up events of each kind that is sent, for tests of webhooks. */
  examples: readonly { type: NoInfer<EventName>; data: object; record: object }[];
  /** The address of a record's own callback. */
  callbackUrl?: (record: Kept) => string | null;
  /** The product that the record is about: a webhook for chosen products gets only the events of those. */
  productOf: (record: Kept) => string | null;
  /** What a person recognises the record by. */
  aboutOf: (record: Kept) => About;
  /** The body in each contract that an event is sent in. */
  bodies: { [Name in Contract]: (message: Message, record: Kept) => object };
};

/**
 * The name of whom or what a record is about, the amount in reais as the interface writes it, and the records that have
 * pages, the closest first.
 */
export type About = { name: string | null; amount: string | null; records: { subject: string; id: string }[] };

/** An event with its record: its receivers, and the body for each. */
export type OpenEvent = {
  /** The registrations that get the event. */
  subscriptions: Subscription[];
  /** The record's own callback, if the event goes there. */
  callback: (Route & { url: string }) | null;
  productId: string | null;
  /** What people call the record as it was then. */
  about: About;
  /** The body for a receiver. Throws when the subject has none in the route's contract. */
  body(route: Route): object;
};

/** Makes a row of the table of subjects (`lib/events/subjects.ts`) from a noun's description of its events. */
export function defineSubject<Kept, EventName extends string, Contract extends DeliveryContract>({
  read,
  events,
  callbackUrl,
  productOf,
  aboutOf,
  bodies,
  examples,
}: Row<Kept, EventName, Contract>) {
  const kindOf = ({ type }: KeptEvent): EventKind<Kept, Contract> => {
    if (Object.hasOwn(events, type)) return events[type as EventName];
    throw new Error(`No row describes the event ${type}`);
  };
  function open(event: KeptEvent): OpenEvent {
    const { subscriptions, callback: contract, callbackWhen } = kindOf(event);
    let parsed: Kept | undefined;
    const record = () => (parsed ??= read(event.record as Prisma.JsonObject)); // most events go to nobody
    const url = contract && (callbackWhen?.(event.data) ?? true) && callbackUrl?.(record());
    return {
      subscriptions: subscriptions
        .filter(({ when }) => when?.(record(), event.data) ?? true)
        .flatMap(({ registrations, contract, name }) =>
          registrations.map((registration) => ({ registration, contract, name })),
        ),
      get productId() {
        return productOf(record());
      },
      get about() {
        return aboutOf(record());
      },
      callback: url ? { contract, name: event.type, url } : null,
      body(route) {
        if (!Object.hasOwn(bodies, route.contract)) throw new Error(`No row describes the contract ${route.contract}`);
        const render = bodies[route.contract as Contract];
        const { id, data, actor, occurredAt } = event;
        return render({ id, data, actor, occurredAt, name: route.name }, record());
      },
    };
  }
  const names = Object.keys(events) as EventName[];
  /** Every name in which a receiver may get one of its events. */
  const sentAs = names.flatMap((name) => [
    ...events[name].subscriptions.map((one) => one.name),
    ...(events[name].callback ? [name] : []),
  ]);
  /** Every kind of event that a webhook can register for and then gets. */
  const registered = names.flatMap((name) => events[name].subscriptions.flatMap(({ registrations }) => registrations));
  /** The events that a registration may get, or any receiver at all. */
  const sentTo = (registration?: WebhookEvent): EventName[] =>
    names.filter((name) => {
      const { subscriptions, callback } = events[name];
      if (registration === undefined) return subscriptions.length > 0 || callback !== undefined;
      return subscriptions.some(({ registrations }) => registrations.includes(registration));
    });
  /** The routes by which a registration gets events, each with the stored name of its event. */
  const routesTo = (to: WebhookEvent) =>
    names.flatMap((type) =>
      events[type].subscriptions
        .filter(({ registrations }) => registrations.includes(to))
        .map(({ contract, name }) => ({ type, contract, name })),
    );
  return { names, sentAs, registered, sentTo, routesTo, open, examples };
}

/** The ids and times of made-up records. */
export const exampleId = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, "0")}`;
export const EXAMPLE_AT = "2026-01-15T12:00:00Z";
export const exampleTimes = { created_at: EXAMPLE_AT, updated_at: EXAMPLE_AT };

const API_VERSION = "2026-08-16";

/** The first members of a body in the event contract. */
export const envelopeOf = ({ name, id, occurredAt }: Message) => ({
  event: name,
  event_id: id,
  occurred_at: iso(occurredAt),
  api_version: API_VERSION,
});
