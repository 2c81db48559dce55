import { describe, expect, test } from "vitest";
import { parseSettings } from "@/lib/env";
import { newId } from "@/lib/ids";

/** The settings of a program that starts with these variables alone, beside what every program needs. */
function settings(given: Record<string, string | undefined>) {
  const { DATABASE_PROGRAM_URL, SESSION_SECRET, VAULT_KEYS, CARD_FINGERPRINT_KEY, SIMULATOR_SECRET } = process.env;
  const needed = { DATABASE_PROGRAM_URL, SESSION_SECRET, VAULT_KEYS, CARD_FINGERPRINT_KEY, SIMULATOR_SECRET };
  return parseSettings({ ...needed, ...given });
}

/** Where Cielo is reached, and as whom. */
function cielo(given: Record<string, string>) {
  const { CIELO_MERCHANT_ID, CIELO_MERCHANT_KEY, CIELO_URL, CIELO_QUERY_URL } = settings(given);
  return [CIELO_MERCHANT_ID, CIELO_MERCHANT_KEY, CIELO_URL, CIELO_QUERY_URL];
}

const id = newId();
const both = { CIELO_MERCHANT_ID: id, CIELO_MERCHANT_KEY: "key" };

test("without settings Cielo is off and its addresses are those of Cielo's production", () => {
  const addresses = ["https://api.cieloecommerce.cielo.com.br", "https://apiquery.cieloecommerce.cielo.com.br"];
  expect(cielo({})).toEqual([undefined, undefined, ...addresses]);
  expect(cielo(both)).toEqual([id, "key", ...addresses]);
  const own = { CIELO_URL: "https://a.example/", CIELO_QUERY_URL: "http://localhost:1" };
  expect(cielo({ ...both, ...own })).toEqual([id, "key", "https://a.example", "http://localhost:1"]);
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
])("the program refuses to start with %j and names the wrong setting", (given, message) => {
  expect(() => settings(given)).toThrow(message);
});

describe("the address it listens on, and the one it reaches itself by", () => {
  const ADDRESS = { APP_URL: "https://repasse.example" };
  test.each<[Record<string, string>, bind: string | undefined, here: string]>([
    [{}, "127.0.0.1", "127.0.0.1"],
    [{ APP_URL: "http://localhost:1" }, "127.0.0.1", "127.0.0.1"],
    [{ APP_URL: "http://[::1]:1" }, "::1", "[::1]"],
    [ADDRESS, undefined, "127.0.0.1"],
    [{ ...ADDRESS, TRUSTED_PROXIES: "0" }, undefined, "127.0.0.1"],
    [{ ...ADDRESS, TRUSTED_PROXIES: "1" }, "127.0.0.1", "127.0.0.1"],
    [{ ...ADDRESS, TRUSTED_PROXIES: "127.0.0.1/32" }, "127.0.0.1", "127.0.0.1"],
    [{ ...ADDRESS, TRUSTED_PROXIES: "10.0.0.0/8", BIND: "0.0.0.0" }, "0.0.0.0", "127.0.0.1"],
    [{ ...ADDRESS, BIND: "10.0.0.7" }, "10.0.0.7", "10.0.0.7"],
    [{ BIND: "::" }, "::", "127.0.0.1"],
  ])("%j", (given, bind, here) => {
    const { BIND, SIMULATOR_URL } = settings({ ...given, PORT: "4123" });
    expect([BIND, SIMULATOR_URL]).toEqual([bind, `http://${here}:4123`]);
  });

  test.each([
    ["http://localhost:1", undefined, 0],
    ["https://repasse.example", undefined, 4],
    ["https://repasse.example", "0", 0],
    ["http://localhost:1", "2.5", 2.5],
  ])("at %s with DRAIN_SECONDS=%s a stop goes on serving for %s s", (url, given, seconds) => {
    expect(settings({ APP_URL: url, DRAIN_SECONDS: given }).DRAIN_SECONDS).toBe(seconds);
  });

  test.each([
    ["METRICS_BIND", "localhost"],
    ["BIND", "localhost"],
    ["BIND", "10.0.0"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "one"],
    ["TRUSTED_PROXIES", "-1"],
  ])("the program refuses to start with %s=%s", (name, value) => {
    expect(() => settings({ [name]: value })).toThrow(`${name}: must be`);
  });
});

describe("where mails go and come from", () => {
  function mail(given: Record<string, string>) {
    const { MAIL_URL, MAIL_FROM } = settings(given);
    return [MAIL_URL, MAIL_FROM];
  }
  const APP_URL = "https://app.loja.example:8443/";
  const MAIL_URL = "smtp://ana%40x.co:p4ss@mx.example:587";

  test("unset, mails come from our own host and go to the inbox", () => {
    expect(mail({ APP_URL })).toEqual([undefined, "Repasse <no-reply@app.loja.example>"]);
    expect(mail({ APP_URL: "http://10.0.0.7:3000" })).toEqual([undefined, "Repasse <no-reply@[10.0.0.7]>"]);
  });

  test("the sender is that of MAIL_FROM, else that of MAIL_URL", () => {
    const withFrom = `${MAIL_URL}?from=Loja%20<a@loja.example>`;
    expect(mail({ APP_URL, MAIL_URL: withFrom })).toEqual([withFrom, "Loja <a@loja.example>"]);
    expect(mail({ APP_URL, MAIL_URL: withFrom, MAIL_FROM: "b@loja.example" })).toEqual([withFrom, "b@loja.example"]);
  });

  test.each<Record<string, string>>([
    { MAIL_URL: "mx.example:p4ss" },
    { MAIL_URL: "http://ana:p4ss@mx.example" },
    { MAIL_URL: "smtp://ana:p4ss@" },
    { MAIL_URL: `${MAIL_URL}?form=a@b.co` },
    { MAIL_URL: `${MAIL_URL}?from=nobody` },
    { MAIL_FROM: "nobody" },
    { MAIL_FROM: "Eva\r\nBcc: x@y.z <a@b.co>" },
    { MAIL_FROM: "a@b.co, c@d.co" },
    { MAIL_FROM: "<a@b.co> <c@d.co>" },
  ])("%j is refused, and its password not repeated", (given) => {
    const start = () => mail({ APP_URL, ...given });
    expect(start).toThrow(/^Configuration is not valid. MAIL_(URL|FROM): must be/);
    expect(start).not.toThrow("p4ss");
  });
});
