import { expect, test } from "vitest";
import { z } from "zod";
import { catalogue } from "@/lib/webhooks/catalogue";
import { readSent } from "@/lib/webhooks/describe";
import { webhookEvents } from "@/lib/webhooks/schema";
import { catalogues } from "@/messages/catalogues";

const sent = catalogue();
const cash = ["cashin.create", "cashin.update", "cashout.create", "cashout.update"];
const two = (name: string) => [`${name}.created`, `${name}.updated`];

test("the catalogue has every body that a webhook may be sent, each once", () => {
  const keysFor = (registration: string) =>
    sent.filter(({ registrations }) => registrations.some((one) => one === registration)).map(({ key }) => key);
  const several = ["cashin", "cashout", "all", "transaction", "card", "refund", "infraction"];
  expect(Object.fromEntries(several.map((one) => [one, keysFor(one).sort()]))).toEqual({
    ...{ cashin: cash.slice(0, 2), cashout: cash.slice(2), all: cash },
    ...Object.fromEntries(["transaction", "card", "refund", "infraction"].map((one) => [one, two(one)])),
  });
  for (const one of webhookEvents.filter((name) => !several.includes(name))) expect(keysFor(one)).toEqual([one]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
});

test.each(sent)(
  "the example of $key fits its JSON Schema, and no other member does",
  ({ schema, example, name, contract }) => {
    const body = JSON.parse(JSON.stringify(example));
    const published = z.fromJSONSchema(z.toJSONSchema(schema, { io: "output" }) as never);
    expect(published.parse(body)).toEqual(body);
    expect(published.safeParse({ ...body, more: 1 }).success).toBe(false);
    const [first] = Object.keys(body);
    const { [first as string]: _, ...less } = body;
    expect(published.safeParse(less).success).toBe(false);
    if (contract === "event") expect(body.event).toBe(name);
  },
);

test("the page of what is sent lists every field of a body, also those within arrays and of any name", () => {
  const fields = readSent("transaction-updated")?.fields ?? [];
  const find = (path: string) => fields.find((field) => field.path === path);
  expect(find("event")).toMatchObject({ type: "string", words: ["transaction.updated"] });
  expect(find("test")).toMatchObject({ type: "boolean", words: ["true"], isOptional: true });
  expect(find("checkout.items[].amount")).toMatchObject({ type: "number", words: [], isNullable: false });
  expect(find("tracking.utm.*")).toMatchObject({ type: "string", isOptional: false });
  expect(find("delivery_address")).toMatchObject({ type: "object", isNullable: true });
  expect(find("delivery_address.complement")).toMatchObject({ type: "string", isNullable: true });
  const types = sent.flatMap(({ slug }) => readSent(slug)?.fields ?? []).map(({ type }) => type);
  expect([...new Set(types)].sort()).toEqual(Object.keys(catalogues.en.sentEvents.types).sort());
  expect(readSent("constructor")).toBeUndefined();
});
