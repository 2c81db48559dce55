import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isLocal, isLoopback, isPublicAddress, networks } from "@/lib/net/address";
import { urlIn } from "@/lib/typed/text";

export type Mode = "live" | "sandbox";

/** Every address of a host name. Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** The codes of connection errors when the name did not resolve, or resolved to a refused address. */
export const NAME_NOT_RESOLVED = "NAME_NOT_RESOLVED";
export const ADDRESS_NOT_ALLOWED = "ADDRESS_NOT_ALLOWED";

/** How long a registration waits for DNS. A slower name is checked when a connection is made. */
const REGISTRATION_DNS_MS = 2_000;

/**
 * Refuses (`webhook_url_not_allowed`) an address by its text alone: not https (a sandbox may use http on localhost,
 * 127.0.0.1 and [::1]), user info, or a literal address that is not public. Asks no DNS, so it suits a hot path; names
 * are checked when the connection is made.
 */
export function assertUrlShape(url: string, mode: Mode): void {
  if (!targetOf(url, mode)) throw new AppError("webhook_url_not_allowed");
}

/**
 * The check at registration: `assertUrlShape`, and every address of the name must be allowed. A name that does not
 * resolve yet passes. This check is for the caller's convenience; `guardedLookup` enforces the rule at every
 * connection.
 */
export async function assertUrlAllowed(url: string, mode: Mode, resolve: Resolve = resolveAll): Promise<void> {
  const target = targetOf(url, mode);
  if (!target) throw new AppError("webhook_url_not_allowed");
  if (target.loopback || literalOf(target.url)) return;
  const found = resolve(target.url.hostname).catch(() => []);
  const addresses = await Promise.race([found, nothingAfter(REGISTRATION_DNS_MS)]);
  if (!addresses.every(mayReach)) throw new AppError("webhook_url_not_allowed");
}

/**
 * The address as a URL, and whether it is a sandbox's own localhost; undefined when it is refused. Localhost is allowed
 * only where the installation itself is local and listens to this machine alone, because on a public installation no
 * webhook may reach the host's own services.
 */
export function targetOf(text: string, mode: Mode): { url: URL; loopback: boolean } | undefined {
  const url = urlIn(text);
  if (!url) return undefined;
  if (url.username || url.password) return undefined;
  const loopback = mode === "sandbox" && isLocal(url) && isLocal(new URL(env.APP_URL)) && isLoopback(env.BIND ?? "");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) return undefined;
  if (loopback) return { url, loopback };
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return undefined;
  const literal = literalOf(url);
  return literal && !mayReach(literal) ? undefined : { url, loopback };
}

/**
 * The DNS lookup of a delivery's socket: resolves the name, refuses when any address is not allowed, and gives the
 * socket exactly the addresses that were checked, so a name that changes in between gains nothing. `loopback` is a
 * sandbox's own localhost, which is not resolved.
 */
export function guardedLookup(loopback: boolean, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, done) => {
    const pinned = loopback ? Promise.resolve(["127.0.0.1", "::1"]) : resolve(hostname).then(checked);
    pinned.then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        if (options.all) done(null, found);
        else done(null, found[0]?.address ?? "", found[0]?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ""),
    );
  };
}

function checked(addresses: string[]) {
  if (addresses.length === 0) throw failure(NAME_NOT_RESOLVED);
  if (addresses.every(mayReach)) return addresses;
  throw failure(ADDRESS_NOT_ALLOWED);
}

const mayReach = (address: string) => isPublicAddress(address, networks(env.WEBHOOK_ALLOWED_CIDRS));

/** The host when it is an address itself. The URL parser has already folded decimal, octal and hex forms. */
const literalOf = ({ hostname }: URL) => (/^\[|^[\d.]+$/.test(hostname) ? hostname.replace(/^\[|\]$/g, "") : undefined);

/**
 * Asks the name servers directly, because `dns.lookup` would occupy one of the process's few worker threads while a
 * customer's name server does not answer.
 */
async function resolveAll(hostname: string) {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = families.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
  if (addresses.length === 0) throw failure(NAME_NOT_RESOLVED);
  return addresses;
}

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

const nothingAfter = (waitMs: number) =>
  new Promise<string[]>((resolve) => {
    setTimeout(resolve, waitMs, []).unref();
  });
