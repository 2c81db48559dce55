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
  return peer === undefined ? plain(forwarded ?? "127.0.0.1") : addressOf(peer, forwarded);
}

/** The same of a socket's address and a header, for who has no Request. */
export function addressOf(peer: string, forwardedFor: string | null): string {
  const forwarded = forwardedFor?.split(",").map((part) => part.trim()) ?? [];
  if (env.TRUSTED_PROXIES === 0) return plain(peer);
  return plain([...forwarded, peer].at(-1 - env.TRUSTED_PROXIES) ?? forwarded[0] ?? peer);
}

/** What limits count by: an IPv4 address, or the /64 of an IPv6 one (domain.md section 7). */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}

function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : "0.0.0.0";
}
