import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Addresses that look public but reach the machine's own cloud: Azure's host agent. */
const METADATA = networks("168.63.129.16/32");

/**
 * Whether the program may connect to this IP address on behalf of a customer. Only plain public unicast passes:
 * private, loopback, link-local, CGNAT, documentation, multicast, IPv4 inside IPv6 (mapped, compatible, NAT64, 6to4,
 * Teredo) and metadata addresses do not. `allowed` is the operator's own list and wins.
 */
export function isPublicAddress(address: string, allowed: readonly Network[] = []): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (allowed.some((network) => contains(network, parsed))) return true;
  if (METADATA.some((network) => contains(network, parsed))) return false;
  return parsed.range() === "unicast" && !isCompatible(parsed);
}

/** The networks of a comma-separated list of CIDRs or single addresses; throws at one that is neither. */
export function networks(list: string): Network[] {
  return list
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => ipaddr.parseCIDR(entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`));
}

/** Whether a text is such a list. */
export function areNetworks(list: string): boolean {
  try {
    networks(list);
    return true;
  } catch {
    return false;
  }
}

/** Whether an IP address lies in one of these networks. */
export const isInNetworks = (address: string, list: readonly Network[]) =>
  ipaddr.isValid(address) && list.some((network) => contains(network, ipaddr.process(address)));

/** Whether an address is this machine's own, which nobody else reaches. */
export const isLoopback = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

/** ::a.b.c.d, the deprecated way to write IPv4 in IPv6 (RFC 4291 2.5.5.1), which ipaddr.js classifies as unicast. */
function isCompatible(address: ipaddr.IPv4 | ipaddr.IPv6) {
  return address instanceof ipaddr.IPv6 && address.parts.slice(0, 6).every((part) => part === 0);
}

function contains([network, bits]: Network, address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (network instanceof ipaddr.IPv4 && address instanceof ipaddr.IPv4) return address.match(network, bits);
  if (network instanceof ipaddr.IPv6 && address instanceof ipaddr.IPv6) return address.match(network, bits);
  return false;
}

/** Whether a URL names this very machine, in one of the three forms the interface knows. */
export const isLocal = ({ hostname }: URL) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);

/** The key by which limits count: an IPv4 address, or the /64 of an IPv6 address, which is one customer's network. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

/** The key of an IPv6 address' /48, which one customer may have whole, with its 65,536 /64; null for IPv4. */
export const siteKey = (address: string): string | null =>
  isIPv6(address) ? limitKey(address).split(":").slice(0, 3).join(":") : null;

/** The network by which limits count an address (`limitKey`), as PostgreSQL reads it. */
export const networkOf = (address: string): string => `${address}/${isIPv6(address) ? 64 : 32}`;

/** The canonical form of an address: IPv4 in IPv6 unwrapped, IPv6 shortened; 0.0.0.0 for what is no address. */
export function canonical(address: string): string {
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "0.0.0.0";
}
