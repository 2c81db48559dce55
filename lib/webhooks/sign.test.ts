import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret } from "@/lib/ids";
import { headersOf, secretOf, standardSignature } from "@/lib/webhooks/sign";

const eventId = "0190a0c1-7d00-7000-8000-000000000001";
const at = new Date();
const body = '{"data":{"client":{"name":"José Ação"},"amount":19.99}}';

const attempt = { contract: "event", event: "x", eventId, attemptId: "a", body, at } as const;

test("the signature is the one a Standard Webhooks library makes with the secret", () => {
  const token = newSecret();
  const theirs = new Webhook(secretOf(token)).sign("msg_1", new Date(1_614_265_330_000), body);
  expect(standardSignature(token, "msg_1", 1_614_265_330, body)).toBe(theirs);
});

test.each(["cash", "event", "legacy"] as const)(
  "a %s delivery verifies with a Standard Webhooks library",
  (contract) => {
    const token = newSecret();
    const headers = headersOf({ ...attempt, contract, tokens: [token] });

    expect(new Webhook(secretOf(token)).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secretOf(newSecret())).verify(body, headers)).toThrow();
    expect(() => new Webhook(secretOf(token)).verify(body.replace("19", "91"), headers)).toThrow();
  },
);

test("the event contract's own signature is a hex HMAC of `t.body` under the token as it is written", () => {
  const token = newSecret();
  const at = new Date(1_790_000_000_999);
  const headers = headersOf({ ...attempt, event: "transaction.updated", tokens: [token], at });

  const expected = createHmac("sha256", token).update(`1790000000.${body}`).digest("hex");
  expect(headers["x-syncpay-signature"]).toBe(`t=1790000000,v1=${expected}`);
  expect(headers).toMatchObject({ "x-syncpay-event": "transaction.updated", "x-syncpay-delivery": "a" });
  expect(headers).not.toHaveProperty("authorization");
});

test("the cash contract carries its event and the token as a bearer", () => {
  const headers = headersOf({ ...attempt, contract: "cash", event: "cashin.update", tokens: ["t"] });
  expect(headers).toMatchObject({ event: "cashin.update", authorization: "Bearer t", "webhook-id": eventId });
  expect(Object.keys(headers).filter((name) => name.startsWith("x-syncpay"))).toEqual([]);
});

test("a postback never carries a token, and is sent without a signature when the account has none", () => {
  const signed = headersOf({ ...attempt, contract: "legacy", tokens: ["secret"] });
  expect(JSON.stringify(signed)).not.toContain("secret");
  const bare = headersOf({ ...attempt, contract: "legacy", tokens: [] });
  expect(Object.keys(bare).sort()).toEqual(["content-type", "user-agent", "webhook-id", "webhook-timestamp"]);
});
