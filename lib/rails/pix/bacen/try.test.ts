import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { errors } from "@/lib/errors";
import { newAlphanumeric } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { providerFaults, settingsErrors } from "@/lib/providers/errors";
import { bacenClient } from "@/lib/rails/pix/bacen/client";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { tryBacen } from "@/lib/rails/pix/bacen/try";
import { problem, serveApiPix } from "@/lib/testing/api-pix";
import { freePort } from "@/lib/testing/program";
import * as clock from "@/lib/time/clock";
import { catalogues } from "@/messages/catalogues";

const pem = (name: string) => readFileSync(`lib/testing/tls/${name}`, "utf8");
const clientOf = (name: string) => ({ certificate: pem(`${name}.pem`), private_key: pem(`${name}.key`) });

let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  psp = await serveApiPix({ isLenient: true });
});
afterAll(() => psp.close());
const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  psp.between = undefined;
  vi.restoreAllMocks();
});

const trial = (changes: Partial<BacenSettings> = {}) => tryBacen("psp", { ...psp.settings, ...changes });

test("settings that work have no fault, and the charge of the trial is removed again", async () => {
  expect(await trial()).toBeNull();
  expect([...psp.cobs.values()].at(-1)).toMatchObject({ amount: "0.01", status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
});

/** Certificates of clients that the PSP refuses, each with its own key. */
const refused: [what: string, client: Partial<BacenSettings>][] = [
  ["another client's, of the same authority", clientOf("next-client")],
  ["one that another authority has signed", clientOf("foreign-client")],
  ["none", { certificate: null, private_key: null }],
];

test.each(refused)("a client's certificate that is wrong is told at the certificate: %s", async (_, client) => {
  expect(await trial(client)).toEqual({ code: "provider_certificate_refused", reason: "" });
});

test.each([...refused, ["one that has expired", clientOf("ended-client")] as const])(
  "the PSP serves nothing to a client with a wrong certificate, which sends no charge then: %s",
  async (_, client) => {
    const before = psp.asked.length;
    const ask = bacenClient(`tls-${newAlphanumeric(8)}`, () => ({ ...psp.settings, ...client }));
    expect(await ask("/cob/x")).toMatchObject({ status: 0 });
    expect(psp.asked).toHaveLength(before);
  },
);

test("a certificate that has expired is told before the PSP is asked, and refused by it where our clock is behind", async () => {
  const before = psp.asked.length;
  expect(await trial(clientOf("ended-client"))).toEqual({ code: "provider_certificate_ended", reason: "" });
  vi.spyOn(clock, "realNow").mockImplementation(() => new Date("2025-06-01T00:00:00Z"));
  expect(await trial(clientOf("ended-client"))).toEqual({ code: "provider_certificate_refused", reason: "" });
  expect(psp.asked).toHaveLength(before);
});

const { certificate, private_key } = clientOf("client");
const NO_KEY = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
const NO_CERTIFICATE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

test.each<[code: keyof typeof providerFaults, at: string, changes: () => Partial<BacenSettings> | Promise<object>]>([
  ["provider_key_differs", "private_key", () => ({ private_key: pem("next-client.key") })],
  ["provider_key_unreadable", "private_key", () => ({ private_key: NO_KEY })],
  ["provider_pair_incomplete", "private_key", () => ({ private_key: null, certificate })],
  ["provider_pair_incomplete", "private_key", () => ({ private_key, certificate: null })],
  ["provider_certificate_unreadable", "certificate", () => ({ certificate: NO_CERTIFICATE })],
  ["provider_authority_unreadable", "authority", () => ({ authority: NO_CERTIFICATE })],
  ["provider_not_trusted", "authority", () => ({ authority: pem("other-authority.pem") })],
  ["provider_client_refused", "client_id", () => ({ client_secret: "other" })],
  ["provider_client_refused", "client_id", () => ({ client_id: "other" })],
  [
    "provider_not_reached",
    "base_url",
    async () => ({ token_url: `https://127.0.0.1:${await freePort()}/oauth/token` }),
  ],
  ["provider_not_reached", "base_url", async () => ({ base_url: `https://127.0.0.1:${await freePort()}/api` })],
])("%s is told at %s", async (code, at, changes) => {
  expect(await trial(await changes())).toEqual({ code, reason: "" });
  expect(providerFaults[code]).toBe(at);
});

test("what the PSP itself says of a refused charge is told with it: at the key, or at the scopes where it is not allowed", async () => {
  expect(await trial({ pix_key: "outra" })).toMatchObject({
    ...{ code: "provider_refused", reason: expect.stringContaining("O campo cob.txid") },
  });
  psp.between = async () => problem(403, "AcessoNegado", "Falta um escopo.");
  expect(await trial()).toEqual({ code: "provider_not_permitted", reason: "Falta um escopo." });
});

test.each([
  [403, "provider_not_permitted"],
  [400, "provider_answers_otherwise"],
] as const)(
  "a client that may make charges and is refused its payments by %i is not connected",
  async (status, code) => {
    psp.between = async ({ path }, serve) =>
      path === "/pix" ? problem(status, "AcessoNegado", "Sem pix.read.") : serve();
    expect(await trial()).toEqual({ code, reason: "Sem pix.read." });
    expect([...psp.cobs.values()].at(-1), "and no charge is left").toMatchObject({
      status: "REMOVIDA_PELO_USUARIO_RECEBEDOR",
    });
  },
);

test("a PSP that had too many requests says nothing of the settings: they are tried later, after the time that it names", async () => {
  const provider = `busy-${newAlphanumeric(8)}`;
  const work = () => tryBacen(provider, psp.settings);
  psp.between = async () => ({ status: 429, headers: { "retry-after": "90" } });
  await expect(work(), "it says so").rejects.toMatchObject({
    ...{ code: "rail_unavailable", options: { retryAfterMs: 90_000 } },
  });
  psp.between = undefined;
  const asked = psp.asked.length;
  const refused = await work().catch((error) => error);
  expect(refused, "and is left alone").toMatchObject({ code: "rail_unavailable" });
  expect(refused.options.retryAfterMs).toBeGreaterThan(60_000);
  expect(psp.asked).toHaveLength(asked);
});

test("a PSP that answers otherwise than the API Pix says is told at the address", async () => {
  psp.between = async () => ({ status: 201, body: { ok: true } });
  expect(await trial()).toMatchObject({ code: "provider_answers_otherwise" });
});

test("every fault has its words in both languages", () => {
  for (const { providers } of [catalogues.en, catalogues["pt-BR"]])
    expect(Object.keys(providers.settingsFaults).sort()).toEqual([...settingsErrors].sort());
  for (const code of settingsErrors) expect(catalogues["pt-BR"].providers.settingsFaults[code]).toBe(errors[code][1]);
});
