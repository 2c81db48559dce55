import pino from "pino";
import { expect, test } from "vitest";
import { log } from "@/lib/log";

const { error: written } = (log as unknown as Record<symbol, Record<string, (value: unknown) => object>>)[
  pino.symbols.serializersSym
] as { error: (value: unknown) => object };

test("an error is logged with its name, code, text and place, without the values that a database quotes", () => {
  const error = Object.assign(new Error("it failed"), { code: "23505", detail: "Key (email)=(a@b.co) exists" });
  expect(written(error)).toEqual({ name: "Error", code: "23505", message: "it failed", stack: error.stack });
});

test("a syntax error is logged without the text that could not be parsed", () => {
  const error = new SyntaxError("Unexpected token 4111111111111111");
  expect(JSON.stringify(written(error))).not.toContain("4111");
});

test("an aggregate error is logged with its first three failures, each without quoted values", () => {
  const failures = ["a", "b", "c", "d"].map((text) => Object.assign(new Error(text), { detail: "secret" }));
  const line = written(new AggregateError(failures, "4 were not done")) as { message: string; errors: Error[] };
  expect(line.message).toBe("4 were not done");
  expect(line.errors.map(({ message }) => message)).toEqual(["a", "b", "c"]);
  expect(JSON.stringify(line)).not.toContain("secret");
});
