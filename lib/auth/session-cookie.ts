import { decode } from "next-auth/jwt";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";

/**
 * `__Host-` binds the cookie to this host; the name has the port because two copies on one host share their cookies.
 */
export const sessionCookieName = () => `__Host-repasse-${env.PORT}`;

/**
 * The cookie in which next-auth keeps an address to return to. Our pages need none, so `lib/http/pages.ts` removes it.
 */
export const callbackCookieName = () => `__Host-repasse-callback-${env.PORT}`;

/** The session id in the request's signed cookie, or undefined. Only the session's row says whether it has ended. */
export async function readSessionId(request: Request): Promise<string | undefined> {
  const name = `${sessionCookieName()}=`;
  const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
  return sessionIdOf(cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length));
}

/** The session id in a cookie's value, or undefined when it is missing, forged or too old. */
export async function sessionIdOf(cookie: string | undefined): Promise<string | undefined> {
  if (!cookie) return undefined;
  const token = await decode({ token: cookie, secret: env.SESSION_SECRET }).catch(() => null);
  return typeof token?.sid === "string" && isId(token.sid) ? token.sid : undefined;
}
