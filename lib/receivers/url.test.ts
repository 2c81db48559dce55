import { expect, onTestFinished, test } from "vitest";
import { env } from "@/lib/env";
import { assertUrlAllowed, assertUrlShape, guardedLookup, type Mode, type Resolve } from "@/lib/receivers/url";

const refusal = expect.objectContaining({ code: "webhook_url_not_allowed" });
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;

/** Refused by their text, in both modes. */
const never = [
  "",
  "example.com/hook",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "gopher://example.com/",
  "http://example.com/hook",
  "https://user@example.com/",
  "https://user:pass@example.com/",
  "https://10.0.0.1/",
  "https://100.100.100.200/",
  "https://127.0.0.2/",
  "https://127.1.1.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://168.63.129.16/",
  "https://192.168.0.1:8443/",
  "https://0.0.0.0/",
  "https://0/",
  "https://0xa9fea9fe/",
  "https://0251.0376.0251.0376/",
  "https://2852039166/",
  "https://3232235521/",
  "https://10.1/",
  "https://１０.0.0.1/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://[64:ff9b:1::1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:1::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  "https://app.localhost/",
];

/** A sandbox may reach its owner's machine, and a live account may not. */
const ownMachine = [
  "http://localhost:3000/hook",
  "http://127.0.0.1:9/",
  "http://[::1]:8080/",
  "https://localhost/",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://[0:0:0:0:0:0:0:1]/",
];

const always = [
  "https://example.com/hook?x=1#y",
  "https://EXAMPLE.com:8443/",
  "https://xn--bcher-kva.example/",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://localhost.example.com/",
];

test.each(never)("%j is refused", async (url) => {
  for (const mode of ["live", "sandbox"] as Mode[]) {
    expect(() => assertUrlShape(url, mode)).toThrow(refusal);
    await expect(assertUrlAllowed(url, mode, to("8.8.8.8"))).rejects.toEqual(refusal);
  }
});

test.each(ownMachine)("%j is for sandboxes only", async (url) => {
  expect(() => assertUrlShape(url, "live")).toThrow(refusal);
  expect(() => assertUrlShape(url, "sandbox")).not.toThrow();
  await assertUrlAllowed(url, "sandbox", to("127.0.0.1", "::1"));
});

test.each(always)("%j is accepted", async (url) => {
  for (const mode of ["live", "sandbox"] as Mode[]) {
    expect(() => assertUrlShape(url, mode)).not.toThrow();
    await assertUrlAllowed(url, mode, to("8.8.8.8", "2606:4700:4700::1111"));
  }
});

test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:1"])(
  "a name that resolves to %s is refused, even beside a public address",
  async (address) => {
    await expect(assertUrlAllowed("https://evil.example/", "live", to("8.8.8.8", address))).rejects.toEqual(refusal);
    await expect(assertUrlAllowed("https://evil.example/", "sandbox", to(address))).rejects.toEqual(refusal);
  },
);

test("a name that does not resolve is accepted, because the connection checks it again", async () => {
  const fails: Resolve = async () => {
    throw new Error("no such name");
  };
  await assertUrlAllowed("https://not-yet.example/", "live", fails);
});

/** What the lookup gives to the socket: the addresses, or the code of the refusal. */
const looked = (loopback: boolean, ...addresses: string[]) =>
  new Promise<unknown>((resolve) => {
    guardedLookup(loopback, to(...addresses))("host", { all: true }, (error, found) => resolve(error?.code ?? found));
  });

test("the socket gets the checked addresses and no others", async () => {
  expect(await looked(false, "8.8.8.8", "2606:4700:4700::1111")).toEqual([
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700:4700::1111", family: 6 },
  ]);
  expect(await looked(false, "8.8.8.8", "10.0.0.1")).toBe("ADDRESS_NOT_ALLOWED");
  expect(await looked(false, "127.0.0.1")).toBe("ADDRESS_NOT_ALLOWED");
  expect(await looked(false)).toBe("NAME_NOT_RESOLVED");
});

test("a sandbox's localhost is this machine, whatever a resolver answers", async () => {
  const here = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  expect(await looked(true, "192.168.0.1")).toEqual(here);
});

test("a sandbox's localhost is refused where others reach this machine, by its address or by where it listens", () => {
  const { APP_URL, BIND } = env;
  onTestFinished(() => void Object.assign(env, { APP_URL, BIND }));
  const reach = () => assertUrlShape("http://localhost:3000/hook", "sandbox");
  for (const open of [{ BIND: "0.0.0.0" }, { BIND: undefined }, { APP_URL: "https://repasse.example" }]) {
    Object.assign(env, { APP_URL: "http://localhost:3000", BIND: "127.0.0.1" });
    expect(reach).not.toThrow();
    Object.assign(env, open);
    expect(reach).toThrow();
  }
});
