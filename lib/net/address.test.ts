import { expect, test } from "vitest";
import { isPublicAddress, networks } from "@/lib/net/address";

/** One address of each refused range, and its edges; ranges as classified by two public SSRF guards' own tests. */
const refused = [
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.254",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "233.252.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:0:8.8.8.8",
  "64:ff9b::7f00:1",
  "64:ff9b::808:808",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:808:808::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "",
  "localhost",
  "999.1.1.1",
];

const allowed = [
  "1.1.1.1",
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "64:ff9c::1",
];

test.each(refused)("%s is refused", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(allowed)("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test("the operator's list opens exactly what it names", () => {
  const own = networks("10.1.0.0/16, fd12::/16,192.168.7.7");
  expect(["10.1.2.3", "fd12::1", "192.168.7.7"].every((address) => isPublicAddress(address, own))).toBe(true);
  expect(
    ["10.2.0.1", "fd13::1", "192.168.7.8", "::ffff:10.1.2.3"].some((address) => isPublicAddress(address, own)),
  ).toBe(false);
  expect(() => networks("ten.0.0.0/8")).toThrow();
});
