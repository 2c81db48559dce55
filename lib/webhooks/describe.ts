import { z } from "zod";
import { catalogue, type Sent } from "@/lib/webhooks/catalogue";
import { headersOf } from "@/lib/webhooks/sign";
import { catalogues } from "@/messages/catalogues";

/** Everything that a webhook may be sent, as the OpenAPI document has it. */
export const describeSent = () =>
  catalogue().map(({ key, registrations, schema, example, ...route }) => ({
    ...{ key, tag: "Webhooks", schema, example },
    summary: textOf(key.includes(".") ? words.deliveries.kinds : words.webhooks.events, key),
    description: `${textOf(words.sentEvents.when, key)} A webhook gets it that is registered for ${registrations.join(" or ")}.`,
    headers: headerNamesOf(route),
  }));

const words = catalogues.en;

/** The text of a catalogue's part, whose members are nested at the dots of their keys. */
function textOf(texts: object, key: string): string {
  const text = key.split(".").reduce((within: unknown, name) => (within as Record<string, unknown>)?.[name], texts);
  if (typeof text === "string") return text;
  throw new Error(`No text says what ${key} is`);
}

/** A member of a body: `transaction.amount`, and of the items of an array `checkout.items[].amount`. */
export type SentField = {
  path: string;
  type: string;
  /** The words that it may be; empty where it may be others. */
  words: string[];
  isNullable: boolean;
  isOptional: boolean;
};

/** One of what a webhook may be sent, with its fields, for the page about it; undefined where there is none. */
export function readSent(slug: string) {
  const found = catalogue().find((one) => one.slug === slug);
  if (!found) return undefined;
  const { key, registrations, contract, name, schema, example } = found;
  return {
    ...{ key, name, contract, registrations, headers: headerNamesOf(found) },
    example: JSON.stringify(example, null, 2),
    fields: fieldsOf(z.toJSONSchema(schema, { io: "output" }) as JsonSchema, ""),
  };
}

type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  /** The members of any name; `false`, which is without a type, where there are none. */
  additionalProperties?: JsonSchema;
};

/** The fields within an object, each before its own. */
function fieldsOf({ properties = {}, required = [], additionalProperties }: JsonSchema, before: string): SentField[] {
  const others: [string, JsonSchema][] = additionalProperties?.type ? [["*", additionalProperties]] : [];
  return [...Object.entries(properties), ...others].flatMap(([member, schema]) => {
    const path = `${before}${member}`;
    const forms = schema.anyOf ?? [schema];
    const isNullable = forms.some(({ type }) => [type].flat().includes("null"));
    const held = forms.find(({ type }) => type !== "null") ?? schema;
    const [type = typeof held.const] = [held.type ?? []].flat();
    const words = (held.enum ?? ("const" in held ? [held.const] : [])).map(String);
    const isOptional = member !== "*" && !required.includes(member);
    const field = { path, type, words, isNullable, isOptional };
    const within = held.items ? fieldsOf(held.items, `${path}[].`) : fieldsOf(held, `${path}.`);
    return [field, ...within];
  });
}

/** The names of the headers of a call, but those that every request has. */
export function headerNamesOf({ contract, name: event }: Pick<Sent, "contract" | "name">): string[] {
  const made = { eventId: "", attemptId: "", body: "", tokens: ["-"], at: new Date(0) };
  const names = Object.keys(headersOf({ ...made, contract, event }));
  return names.filter((name) => name !== "content-type" && name !== "user-agent");
}
