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

/** The names of the headers of a call, but those that every request has. */
export function headerNamesOf({ contract, name: event }: Pick<Sent, "contract" | "name">): string[] {
  const made = { eventId: "", attemptId: "", body: "", tokens: ["-"], at: new Date(0) };
  const names = Object.keys(headersOf({ ...made, contract, event }));
  return names.filter((name) => name !== "content-type" && name !== "user-agent");
}
