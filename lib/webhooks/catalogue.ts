import type { z } from "zod";
import type { Route } from "@/lib/events/subject";
import { exampleOf, openEvent, routesTo } from "@/lib/events/subjects";
import { type WebhookEvent, webhookEvents } from "@/lib/webhooks/schema";

/** What a webhook may be sent: bodies of one contract under one name. */
export type Sent = Route & {
  /** Its name in this catalogue, which is that on the wire but where two contracts have the same. */
  key: string;
  /** The same in the address of its page. */
  slug: string;
  /** What a webhook registers for to get it. */
  registrations: WebhookEvent[];
  /** The members of every such body. */
  schema: z.ZodObject;
  /** A body about a made-up record. */
  example: object;
};

/** Everything that a webhook may be sent, in the order of what it can be registered for. */
export function catalogue(): Sent[] {
  const sent = new Map<string, Sent>();
  for (const registration of webhookEvents) {
    for (const { contract, name } of routesTo(registration)) {
      const key = contract === "legacy" ? registration : name;
      const known = sent.get(key);
      if (known) {
        if (!known.registrations.includes(registration)) known.registrations.push(registration);
        continue;
      }
      const route = { contract, name };
      const open = openEvent(exampleOf(registration, name));
      const [schema, example] = [open.schema(route), open.body(route)];
      sent.set(key, { ...route, key, slug: key.replace(".", "-"), registrations: [registration], schema, example });
    }
  }
  return [...sent.values()];
}
