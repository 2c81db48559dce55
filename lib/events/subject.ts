import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { env } from "@/lib/env";
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
  bodies: { [Name in Contract]: BodyKind<Kept> };
};

/** How bodies of one contract are made, and which members they have under a name. */
type BodyKind<Kept> = { make: (message: Message, record: Kept) => object; schema: (name: string) => z.ZodObject };

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
  /** The members of every body of this route. Throws as `body` does. */
  schema(route: Route): z.ZodObject;
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
  const kindOfBody = (contract: string): BodyKind<Kept> => {
    if (Object.hasOwn(bodies, contract)) return bodies[contract as Contract];
    throw new Error(`No row describes the contract ${contract}`);
  };
  const schemas = new Map<string, z.ZodObject>();
  const schema = ({ contract, name }: Route) => {
    const key = `${contract} ${name}`;
    const known = schemas.get(key) ?? kindOfBody(contract).schema(name);
    schemas.set(key, known);
    return known;
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
        const { id, data, actor, occurredAt } = event;
        const body = kindOfBody(route.contract).make({ id, data, actor, occurredAt, name: route.name }, record());
        if (env.NODE_ENV !== "production") assertFits(body, schema(route), route);
        return body;
      },
      schema,
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

/** Throws for a body that is not as its schema says, or has a member that the schema does not have: receivers read the schema. */
function assertFits(body: object, schema: z.ZodObject, { contract, name }: Route) {
  const sent = JSON.parse(JSON.stringify(body));
  const { data, error } = schema.safeParse(sent);
  if (error) throw new Error(`The body of ${name} in the contract ${contract} is not as its schema: ${error.message}`);
  if (!isDeepStrictEqual(data, sent)) throw new Error(`The body of ${name} (${contract}) has members without a schema`);
}
