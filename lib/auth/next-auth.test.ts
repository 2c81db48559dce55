import { expect, test } from "vitest";
import { authOptions } from "@/lib/auth/next-auth";

const { callbacks, providers } = authOptions("127.0.0.1", "seller");
const baseUrl = "https://repasse.example";

test.each<[asked: unknown, leadsTo: string]>([
  ["/home?a=b", `${baseUrl}/home?a=b`],
  [`${baseUrl}/webhooks`, `${baseUrl}/webhooks`],
  ["https://evil.example/home", baseUrl],
  ["//evil.example", baseUrl],
  ["javascript:alert(1)", baseUrl],
  ["http://%%%", baseUrl],
  ["%%%://", `${baseUrl}/%%%://`],
  [{ toString: "x" }, baseUrl],
  [undefined, baseUrl],
])("after sign-in or sign-out %j leads to %s and never fails", async (url, leadsTo) => {
  expect(await callbacks?.redirect?.({ url: url as string, baseUrl })).toBe(leadsTo);
});

test.each([
  { email: ["a@b.co"], password: "x" },
  { email: "a@b.co", password: { length: 3 } },
  { email: "a@b.co".padEnd(300, "x"), password: "x" },
  undefined,
])("credentials that are no e-mail and password are refused: %j", async (credentials) => {
  const [provider] = providers;
  const { authorize } = (provider as unknown as { options: { authorize: (...given: unknown[]) => Promise<unknown> } })
    .options;
  expect(await authorize(credentials, { headers: {} })).toBeNull();
});
