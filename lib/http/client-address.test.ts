import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { env } from "@/lib/env";
import { clientAddress, isConfidential, rememberPeer } from "@/lib/http/client-address";
import { networks } from "@/lib/net/address";

const { APP_URL, TRUSTED_PROXIES } = env;
afterEach(() => Object.assign(env, { APP_URL, TRUSTED_PROXIES }));

/** The client's address of a request from this socket with this `X-Forwarded-For`. */
function addressOf(peer: string | undefined, forwarded?: string): string {
  const request = new Request("http://localhost/");
  if (forwarded !== undefined) request.headers.set("x-forwarded-for", forwarded);
  rememberPeer(request, peer);
  return clientAddress(request);
}

test("without trusted proxies the client's address is the socket's, whatever the caller claims", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant("nonsense"))), (claimed) => {
      expect(addressOf("192.0.2.7", claimed.join(", "))).toBe("192.0.2.7");
    }),
  );
});

describe("behind a trusted number of proxies", () => {
  test.each([
    [1, "10.0.0.1", "203.0.113.5", "203.0.113.5"],
    [1, "10.0.0.1", "6.6.6.6, 203.0.113.5", "203.0.113.5"], // the first is the caller's own claim
    [2, "10.0.0.1", "6.6.6.6, 203.0.113.5, 10.0.0.2", "203.0.113.5"],
    [2, "10.0.0.1", "203.0.113.5", "203.0.113.5"], // fewer than configured: the one nearest to the caller
    [1, "10.0.0.1", undefined, "10.0.0.1"],
    [1, "10.0.0.1", "nonsense", "0.0.0.0"],
    [1, "::ffff:10.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"],
    [1, "10.0.0.1", "2001:db8::5", "2001:db8::5"],
  ])("%d: from %s naming %s it is %s", (trusted, peer, forwarded, expected) => {
    Object.assign(env, { TRUSTED_PROXIES: trusted });
    expect(addressOf(peer, forwarded)).toBe(expected);
  });

  test("no number of forged addresses changes the client's address", () => {
    Object.assign(env, { TRUSTED_PROXIES: 1 });
    const seen = Array.from({ length: 1_000 }, (_, at) => addressOf("10.0.0.1", `198.51.100.${at % 256}, 203.0.113.5`));
    expect(new Set(seen)).toEqual(new Set(["203.0.113.5"]));
  });
});

describe("behind proxies whose networks are named", () => {
  const trust = (list: string) => Object.assign(env, { TRUSTED_PROXIES: networks(list) });

  test.each([
    ["127.0.0.1/32", "127.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["127.0.0.1/32", "::ffff:127.0.0.1", "203.0.113.5", "203.0.113.5"],
    ["10.0.0.0/8", "10.0.0.1", "6.6.6.6, 203.0.113.5", "203.0.113.5"], // the first is the caller's own claim
    ["10.0.0.0/8,127.0.0.1/32", "127.0.0.1", "6.6.6.6, 203.0.113.5, 10.0.0.2", "203.0.113.5"],
    ["10.0.0.0/8,127.0.0.1/32", "127.0.0.1", "203.0.113.5, 192.0.2.9, 10.0.0.2", "192.0.2.9"],
    ["10.0.0.0/8", "10.0.0.1", "10.1.1.1, 10.0.0.2", "10.1.1.1"], // a caller inside the network
    ["10.0.0.0/8", "10.0.0.1", undefined, "10.0.0.1"],
    ["10.0.0.0/8", "10.0.0.1", "203.0.113.5, nonsense", "0.0.0.0"],
    ["2001:db8::/32", "2001:db8::1", "203.0.113.5", "203.0.113.5"],
    ["10.0.0.0/8", "192.0.2.7", "203.0.113.5", "192.0.2.7"], // a caller that goes past the proxy: its header is ignored
    ["10.0.0.0/8", "192.0.2.7", "203.0.113.5, 10.0.0.1", "192.0.2.7"],
  ])("%s: from %s naming %s it is %s", (list, peer, forwarded, expected) => {
    trust(list);
    expect(addressOf(peer, forwarded)).toBe(expected);
  });

  test("a caller that goes past them has the socket's address, whatever it claims", () => {
    trust("10.0.0.0/8,127.0.0.0/8");
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant("10.0.0.1"))), (claimed) => {
        expect(addressOf("192.0.2.7", claimed.join(", "))).toBe("192.0.2.7");
      }),
    );
  });

  test.each<[peer: string, forwarded: string | undefined, claimed: string | undefined, confidential: boolean]>([
    ["10.0.0.1", "203.0.113.5", "https", true],
    ["10.0.0.1", "203.0.113.5", "http", false],
    ["10.0.0.1", "203.0.113.5", "https, http", false], // the first is the caller's own claim
    ["10.0.0.1", "203.0.113.5, 10.0.0.2", "https, http", true], // between the two proxies there is none
    ["10.0.0.1", undefined, "https", true],
    ["10.0.0.1", "203.0.113.5", undefined, false],
    ["192.0.2.7", "203.0.113.5", "https", false], // a caller that goes past the proxy
    ["192.0.2.7", "10.0.0.1", "https", false],
  ])("over TLS or not: %s, for %s, claimed %s: %s", (peer, forwarded, claimed, expected) => {
    trust("10.0.0.0/8");
    Object.assign(env, { APP_URL: "https://repasse.example" });
    const headers = {
      ...(forwarded && { "x-forwarded-for": forwarded }),
      ...(claimed && { "x-forwarded-proto": claimed }),
    };
    const request = new Request("http://localhost/", { headers });
    rememberPeer(request, peer);
    expect(isConfidential(request)).toBe(expected);
  });
});

test("an IPv4 caller of an IPv6 socket is one address", () => {
  expect(addressOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
});

describe("whether nobody on the way could read a request", () => {
  test.each<[proxies: number, peer: string | undefined, claimed: string | undefined, confidential: boolean]>([
    [0, "127.0.0.1", undefined, true],
    [0, "127.8.8.8", undefined, true],
    [0, "::1", undefined, true],
    [0, "::ffff:127.0.0.1", undefined, true],
    [0, "203.0.113.5", undefined, false],
    [0, "203.0.113.5", "https", false], // any caller can send that header
    [0, "10.0.0.1", "https", false],
    [0, "2001:db8::5", undefined, false],
    [0, undefined, "https", false], // Next, and no known peer
    [1, "10.0.0.1", "https", true],
    [1, "10.0.0.1", "http", false],
    [1, "127.0.0.1", "http", false], // a proxy on this machine, for a caller elsewhere
    [1, "10.0.0.1", undefined, false],
    [1, "10.0.0.1", "https, http", false], // the first is the caller's own claim
    [2, "10.0.0.1", "https, http", true], // between the two proxies there is none
    [2, "10.0.0.1", "http, https", false],
    [2, "10.0.0.1", "https", true],
  ])("with %d proxies, from %s claimed %s: %s", (proxies, peer, claimed, expected) => {
    Object.assign(env, { APP_URL: "https://repasse.example", TRUSTED_PROXIES: proxies });
    const request = new Request(
      "http://localhost/",
      claimed === undefined ? {} : { headers: { "x-forwarded-proto": claimed } },
    );
    rememberPeer(request, peer);
    expect(isConfidential(request)).toBe(expected);
    Object.assign(env, { APP_URL: "http://repasse.example" }); // an installation that has no TLS at all
    expect(isConfidential(request)).toBe(true);
  });
});
