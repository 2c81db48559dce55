import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { depositCall } from "@/lib/deposits/call";
import { newId } from "@/lib/ids";
import { resolveCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { servePsp } from "@/lib/testing/psp";

const host = openHost(routes);
let psp: Awaited<ReturnType<typeof servePsp>>;
beforeAll(async () => {
  psp = await servePsp();
});
afterAll(() => psp.close());

const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  psp.instead = undefined;
});

test("a cash-in on a rail that makes its codes itself answers 200 with the code, and V1 has it too", async () => {
  const { token } = await makeAccount();
  const { status, json } = await host.ask("POST", "/api/partner/v1/cash-in", { token, body: { amount: 100 } });
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      message: "Cobrança Pix criada.",
      pix_code: expect.stringMatching(/^000201.*br\.gov\.bcb\.pix/),
      identifier: expect.any(String),
      expires_at: expect.any(String),
    },
  });
  const read = await host.ask("GET", `/api/partner/v1/transaction/${json.identifier}`, { token });
  expect(read.json).toMatchObject({ data: { status: "pending", pix_code: json.pix_code } });
});

test("a cash-in that the rail has not answered is 503 with the sale's id, and its key gives the code once it is known", async () => {
  const { token, accountId } = await makeAccount();
  const ask = (headers: Record<string, string>) =>
    host.ask("POST", "/api/partner/v1/cash-in", { token, headers, body: { amount: 100 } });
  const key = { "idempotency-key": newId() };
  timeouts.callMs = 200;
  psp.instead = (_, sent) => void psp.make(sent);
  const first = await ask(key);
  expect(first.status).toBe(503);
  expect(first.headers.get("retry-after")).toBe("3");
  expect(first.json).toEqual({
    message: expect.any(String),
    error: "deposit_pending",
    identifier: expect.any(String),
  });
  psp.instead = undefined;
  await resolveCall(depositCall, { accountId, id: String(first.json.identifier) });
  const repeat = await ask(key);
  expect(repeat.status).toBe(200);
  expect(repeat.json).toMatchObject({ identifier: first.json.identifier, pix_code: expect.stringMatching(/^000201/) });
});
