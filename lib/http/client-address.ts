import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/env";

const peers = new WeakMap<Request, string>();

/** The host tells who is at the other end of the socket; a Request itself cannot. */
export const rememberPeer = (request: Request, address: string | undefined) => {
  if (address) peers.set(request, address);
};

/**
 * The client's address: the socket's, or the one that the configured number of trusted proxies saw. With none trusted
 * a forged `X-Forwarded-For` changes nothing. IPv4 in IPv6 is unwrapped.
 */
export function clientAddress(request: Request): string {
  const forwarded = request.headers.get("x-forwarded-for");
  const peer = peers.get(request);
  // Without a peer this is Next's door, before which the host has written the right address into the header.
  return peer === undefined ? canonical(forwarded ?? "127.0.0.1") : addressOf(peer, forwarded);
}

/** The same of a socket's address and a header, for who has no Request. */
export function addressOf(peer: string, forwardedFor: string | null): string {
  const forwarded = forwardedFor?.split(",").map((part) => part.trim()) ?? [];
  if (env.TRUSTED_PROXIES === 0) return canonical(peer);
  return canonical([...forwarded, peer].at(-1 - env.TRUSTED_PROXIES) ?? forwarded[0] ?? peer);
}

/**
 * Whether nobody on the way could read a request: it came over TLS, as a trusted proxy tells; or from this machine; or
 * the installation has no TLS at all, by its `APP_URL`. Nobody else's `X-Forwarded-Proto` is believed.
 */
export function isConfidential(request: Request): boolean {
  if (env.APP_URL.startsWith("http:")) return true;
  const told = env.TRUSTED_PROXIES > 0 && request.headers.get("x-forwarded-proto");
  if (told) {
    const protocols = told.split(",").map((part) => part.trim().toLowerCase());
    return (protocols.at(-env.TRUSTED_PROXIES) ?? protocols[0]) === "https";
  }
  const peer = peers.get(request) ?? "";
  return ipaddr.isValid(peer) && ipaddr.process(peer).range() === "loopback";
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 one (domain.md section 7). */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

/** One way to write an address: IPv4 in IPv6 unwrapped, IPv6 as short as it goes; 0.0.0.0 for what is none. */
export function canonical(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "0.0.0.0";
}
