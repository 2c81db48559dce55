import { expect, test } from "vitest";
import { z } from "zod";
import { AppError, type ErrorCode, invalid } from "@/lib/errors";
import type { Contract } from "@/lib/http/contract";
import { endpoint } from "@/lib/http/endpoint";
import { CsvLines } from "@/lib/lists/csv";
import { makeAccount } from "@/lib/testing/make";

const contract = { summary: "", tag: "", auth: "none", response: z.object({}) } as const satisfies Contract;

/** Calls an endpoint whose verb throws `thrown`. */
async function ask(thrown: Error, declared: Partial<Contract> = {}) {
  const serve = endpoint({ ...contract, ...declared }, () => Promise.reject(thrown));
  return serve(new Request("http://x/y", { method: "POST" }), { params: Promise.resolve({}) });
}

test.each<[string, Error, Partial<Contract>]>([
  ["a code that only another contract has", new AppError("domain_limit_reached"), { errors: ["email_taken"] }],
  ["a 422 where nothing of the request is validated", invalid({ name: ["Inválido."] }), {}],
  ["a missing scope where the contract names none", new AppError("insufficient_scope"), {}],
  ["a refusal that the verb has stored under the key", new AppError("card_refused", { isKept: true }), {}],
])("a test fails at %s", async (_, thrown, declared) => {
  await expect(ask(thrown, declared)).rejects.toThrow("which its contract does not have");
});

test.each<[ErrorCode, Partial<Contract>, number]>([
  ["domain_limit_reached", { errors: ["domain_limit_reached"] }, 422],
  ["validation_failed", { body: z.object({}) }, 422],
  ["rate_limit_exceeded", {}, 429],
  ["unavailable", {}, 503],
])("a code that the contract declares or implies is answered: %s", async (code, declared, status) => {
  expect((await ask(new AppError(code), declared)).status).toBe(status);
});

test("a route whose path has no parameters is served where Next gives it none", async () => {
  const GET = endpoint({ ...contract, response: z.record(z.string(), z.string()) }, async ({ params }) => params);
  const answer = await GET(new Request("http://x/y"), { params: undefined });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
});

test("a bug is answered as one everywhere", async () => {
  expect((await ask(new Error("a bug"))).status).toBe(500);
});

test("a handler is given the account, the kind of its caller and, where the contract asks, the balance", async () => {
  const { token, accountId } = await makeAccount({ available: 1_234 });
  const GET = endpoint(
    { ...contract, auth: "account", brings: "balance", response: z.looseObject({}) },
    async ({ account, caller }) => ({ id: account.id, kind: caller.kind, balance: caller.balance.balance }),
  );
  const request = new Request("http://x/y", { headers: { authorization: `Bearer ${token}` } });
  const answer = await GET(request, { params: Promise.resolve({}) });
  expect(await answer.json()).toEqual({ id: accountId, kind: "token", balance: "12.34" });
});

test("a file that is asked for by HEAD is not read, and takes no place", async () => {
  const { token } = await makeAccount();
  let batches = 0;
  async function* lines() {
    for (; batches < 1_000; batches += 1) yield "a\r\n";
  }
  const HEAD = endpoint({ ...contract, auth: "account", response: CsvLines, csv: "x.csv" }, async () => lines);
  const init = { method: "HEAD", headers: { authorization: `Bearer ${token}` } };
  for (let n = 0; n < 4; n += 1) {
    const { status, body } = await HEAD(new Request("http://x/y", init), { params: undefined });
    expect([status, body]).toEqual([200, null]);
  }
  expect(batches).toBeLessThan(8);
});
