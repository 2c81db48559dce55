import { decode } from "next-auth/jwt";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";

/** Whose sign-in it is. Each has a cookie of its own, so that a seller's and a staff session live side by side in one browser. */
export type Realm = "seller" | "staff";

const prefixes: Record<Realm, string> = { seller: "__Host-repasse", staff: "__Host-repasse-operator" };

/**
 * `__Host-` binds the cookie to this host; the name has the port because two copies on one host share their cookies.
 */
export const sessionCookieName = (realm: Realm = "seller") => `${prefixes[realm]}-${env.PORT}`;

/** The realm of a page, by its path. */
export const realmOf = (path: string): Realm => (/^\/operator(\/|$)/.test(path) ? "staff" : "seller");

/**
 * The cookie in which next-auth keeps an address to return to. Our pages need none, so `lib/http/pages.ts` removes it.
 */
export const callbackCookieName = () => `__Host-repasse-callback-${env.PORT}`;

/** The session id in the request's signed cookie, or undefined. Only the session's row says whether it has ended. */
export async function readSessionId(request: Request, realm: Realm): Promise<string | undefined> {
  const name = `${sessionCookieName(realm)}=`;
  const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
  return sessionIdOf(cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length));
}

/** The session id in a cookie's value, or undefined when it is missing, forged or too old. */
export async function sessionIdOf(cookie: string | undefined): Promise<string | undefined> {
  if (!cookie) return undefined;
  const token = await decode({ token: cookie, secret: env.SESSION_SECRET }).catch(() => null);
  return typeof token?.sid === "string" && isId(token.sid) ? token.sid : undefined;
}
