import { afterEach, expect, test, vi } from "vitest";
import { newId } from "@/lib/ids";

const names = ["CIELO_MERCHANT_ID", "CIELO_MERCHANT_KEY", "CIELO_URL", "CIELO_QUERY_URL"];

/** The program's settings as a start with these has them; throws as it would. */
async function settings(given: Record<string, string>) {
  for (const name of names) vi.stubEnv(name, given[name]);
  vi.resetModules();
  const { env: fresh } = await import("@/lib/env");
  return names.map((name) => fresh[name as "CIELO_URL"]);
}
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const id = newId();
const both = { CIELO_MERCHANT_ID: id, CIELO_MERCHANT_KEY: "key" };

test("Cielo's settings are none without being told, and Cielo's own addresses", async () => {
  const addresses = ["https://api.cieloecommerce.cielo.com.br", "https://apiquery.cieloecommerce.cielo.com.br"];
  expect(await settings({})).toEqual([undefined, undefined, ...addresses]);
  expect(await settings(both)).toEqual([id, "key", ...addresses]);
  const own = { CIELO_URL: "https://a.example/", CIELO_QUERY_URL: "http://localhost:1" };
  expect(await settings({ ...both, ...own })).toEqual([id, "key", "https://a.example", "http://localhost:1"]);
});

test.each<[Record<string, string>, string]>([
  [{ CIELO_MERCHANT_ID: id }, "CIELO_MERCHANT_KEY: must be set where CIELO_MERCHANT_ID is"],
  [{ CIELO_MERCHANT_KEY: "key" }, "CIELO_MERCHANT_ID: must be set where CIELO_MERCHANT_KEY is"],
  [{ ...both, CIELO_URL: "https://a.example" }, "CIELO_QUERY_URL: must be set where CIELO_URL is"],
  [{ ...both, CIELO_MERCHANT_ID: "1234" }, "CIELO_MERCHANT_ID: "],
  [
    {
      ...both,
      CIELO_URL: "https://api.cieloecommerce.cielo.com.br",
      CIELO_QUERY_URL: "https://apiquerysandbox.cieloecommerce.cielo.com.br",
    },
    "CIELO_QUERY_URL: must be of the same Cielo",
  ],
  [{ ...both, CIELO_URL: "http://a.example", CIELO_QUERY_URL: "https://a.example" }, "CIELO_URL: must be a https URL"],
  [{ ...both, CIELO_URL: "cielo", CIELO_QUERY_URL: "https://a.example" }, "CIELO_URL: must be a https URL"],
])("the program refuses to start with %j, and says which is wrong", async (given, told) => {
  await expect(settings(given)).rejects.toThrow(told);
});
