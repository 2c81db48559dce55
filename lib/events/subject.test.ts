import { expect, test } from "vitest";
import { z } from "zod";
import { defineSubject } from "@/lib/events/subject";

const route = { contract: "event", name: "sold" } as const;
const event = {
  ...{ id: "e", subject: "sale", type: "sale.made", actor: null, occurredAt: new Date(), data: {}, record: {} },
};
const bodyMadeAs = (body: object) =>
  defineSubject({
    read: () => null,
    events: { "sale.made": { subscriptions: [{ ...route, registrations: ["transaction"] }] } },
    ...{ examples: [], productOf: () => null, aboutOf: () => ({ name: null, amount: null, records: [] }) },
    bodies: { event: { make: () => body, schema: (name) => z.object({ event: z.literal(name), of: inner }) } },
  })
    .open(event)
    .body(route);
const inner = z.object({ id: z.string(), at: z.string().optional() });

test("no body is made, outside of production, that its schema does not describe whole", () => {
  const whole = { event: "sold", of: { id: "1", at: undefined } };
  expect(bodyMadeAs(whole)).toBe(whole);
  expect(() => bodyMadeAs({ event: "sold", of: { id: "1", more: 1 } })).toThrow("members without a schema");
  expect(() => bodyMadeAs({ ...whole, more: null })).toThrow("members without a schema");
  expect(() => bodyMadeAs({ event: "sold", of: {} })).toThrow("not as its schema");
  expect(() => bodyMadeAs({ ...whole, event: "bought" })).toThrow("not as its schema");
});
