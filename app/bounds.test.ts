import { describe, expect, test } from "vitest";
import { z } from "zod";
import { routes } from "@/app/routes.generated";
import { openHost, operationsOf } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";

const host = openHost(routes);

type Schema = {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
};

/** Formats of texts that bound their length. */
const SHORT = ["uuid", "ipv4", "ipv6", "date"];

/** The paths in a schema at which an input has no bound. */
function unbounded(schema: Schema, at: string): string[] {
  const { type, properties = {}, items, additionalProperties: rest, propertyNames = {} } = schema;
  const choices = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  if (choices.length > 0) return choices.flatMap((choice) => unbounded(choice, at));
  if (schema.enum || "const" in schema) return [];
  switch (type) {
    case "string":
      return schema.maxLength !== undefined || SHORT.includes(schema.format ?? "") ? [] : [at];
    case "array":
      return [...(schema.maxItems === undefined ? [`${at}[]`] : []), ...(items ? unbounded(items, `${at}[]`) : [at])];
    case "object": {
      const members = Object.entries(properties).flatMap(([name, member]) => unbounded(member, `${at}.${name}`));
      if (rest === undefined || rest === false) return members; // unknown members are dropped
      const isRecord = schema.maxProperties === undefined || propertyNames.maxLength === undefined;
      return [...members, ...(isRecord ? [`${at}{}`] : []), ...unbounded(rest === true ? {} : rest, `${at}{}`)];
    }
    case undefined:
      return [at]; // a schema that accepts anything
    default:
      return [];
  }
}

const jsonOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;

const asked = operationsOf(routes).filter(({ contract }) => contract.body || contract.query);

describe("every input has a greatest length:", () => {
  test.each(asked)("$method $path", ({ contract }) => {
    expect([
      ...(contract.body ? unbounded(jsonOf(contract.body), "body") : []),
      ...(contract.query ? unbounded(jsonOf(contract.query), "query") : []),
    ]).toEqual([]);
  });

  test("and this test finds an input without one", () => {
    const schema = z.object({
      text: z.string(),
      list: z.array(z.string().max(5)),
      names: z.record(z.string(), z.string().max(5)),
      anything: z.unknown().optional(),
      loose: z.looseObject({}),
      date: z.iso.datetime(),
      deep: z.object({ either: z.union([z.string().max(1), z.array(z.string()).max(2)]).nullish() }),
    });
    expect(unbounded(jsonOf(schema), "body")).toEqual([
      "body.text",
      "body.list[]",
      "body.names{}",
      "body.anything",
      "body.loose{}",
      "body.loose{}",
      "body.date",
      "body.deep.either[]",
    ]);
  });
});

test("a 422 names the first hundred fields, each in no more than 64 letters a name", async () => {
  const { token } = await makeAccount();
  const wrong = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`utm_${at}`, []]));
  const answer = await host.ask("POST", "/v1/gateway/api", { token, body: { checkout: wrong } });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.json.errors as object)).toHaveLength(100);
  const checkout = { ["x".repeat(100_000)]: "x" };
  const named = await host.ask("POST", "/v1/gateway/api", { token, body: { checkout } });
  expect(Object.keys(named.json.errors as object)).toContain(`checkout.${"x".repeat(64)}`);
});
