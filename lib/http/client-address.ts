import { env } from "@/lib/env";
import { canonical, isInNetworks, isLoopback, limitKey } from "@/lib/net/address";
import { type limits, spendSlot } from "@/lib/rate-limits/spend-slot";

const peers = new WeakMap<Request, string>();

/** Keeps the address of the socket's other end, which only the host knows, with the Request. */
export const rememberPeer = (request: Request, address: string | undefined) => {
  if (address) peers.set(request, address);
};

/**
 * The client's address: the socket's, or the one that the trusted proxies saw. `X-Forwarded-For` of any other sender
 * changes nothing. IPv4 in IPv6 is unwrapped.
 */
export function clientAddress(request: Request): string {
  const forwarded = request.headers.get("x-forwarded-for");
  const peer = peers.get(request);
  // Without a peer it was Next that called us, and the host has written the right address into the header before.
  return peer === undefined ? canonical(forwarded ?? "127.0.0.1") : addressOf(peer, forwarded);
}

/** Spends a slot of a limit that counts addresses, for an anonymous caller. Throws `rate_limit_exceeded`. */
export const spendSlotOfAddress = (limit: keyof typeof limits, request: Request) =>
  spendSlot(limit, limitKey(clientAddress(request)));

/** The client's address by a socket's address and a header, where there is no Request. */
export function addressOf(peer: string, forwardedFor: string | null): string {
  const forwarded = listOf(forwardedFor);
  return canonical([...forwarded, peer].at(-1 - proxiesOf(peer, forwarded)) ?? forwarded[0] ?? peer);
}

/**
 * How many of our proxies a request came through: the number in TRUSTED_PROXIES or, where that names networks, the
 * number of addresses that are in them, counted from the socket's peer leftwards to the first that is not.
 */
function proxiesOf(peer: string, forwarded: string[]): number {
  const trusted = env.TRUSTED_PROXIES;
  if (typeof trusted === "number") return trusted;
  const others = [peer, ...forwarded.toReversed()].findIndex((address) => !isInNetworks(address, trusted));
  return others === -1 ? forwarded.length : others;
}

/**
 * Whether nobody on the way could read a request: a trusted proxy reports TLS, or the request came from this machine,
 * or the installation has no TLS at all by its `APP_URL`. `X-Forwarded-Proto` of any other sender is ignored.
 */
export function isConfidential(request: Request): boolean {
  if (env.APP_URL.startsWith("http:")) return true;
  const peer = peers.get(request) ?? "";
  const protocols = listOf(request.headers.get("x-forwarded-proto"));
  if (protocols.length > 0 && isProxy(peer)) {
    const proxies = Math.max(1, proxiesOf(peer, listOf(request.headers.get("x-forwarded-for"))));
    return (protocols.at(-proxies) ?? protocols[0])?.toLowerCase() === "https";
  }
  return isLoopback(peer);
}

/**
 * Whether a trusted proxy says that it has verified the certificate of the client, as nginx does in `$ssl_client_verify`. The
 * header of any other sender is ignored.
 */
export const isCertified = (request: Request): boolean =>
  isProxy(peers.get(request) ?? "") && request.headers.get("x-client-verify") === "SUCCESS";

/** Whether the other end of the socket is a proxy of ours, whose headers are trusted. */
const isProxy = (peer: string) =>
  typeof env.TRUSTED_PROXIES === "number" ? env.TRUSTED_PROXIES > 0 : isInNetworks(peer, env.TRUSTED_PROXIES);

const listOf = (header: string | null) =>
  header
    ?.split(",")
    .map((part) => part.trim())
    .filter(Boolean) ?? [];
