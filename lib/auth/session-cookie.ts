import { decode } from "next-auth/jwt";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";

/** `__Host-` binds the cookie to this origin; the port is in its name because two copies on one host share a jar. */
export const sessionCookieName = () => `__Host-repasse-${env.PORT}`;

/** Where next-auth would keep an address to go back to. Our pages keep none, so `lib/http/pages.ts` removes it. */
export const callbackCookieName = () => `__Host-repasse-callback-${env.PORT}`;

/** The session id inside the request's signed cookie, or undefined. Only the session's row knows whether it has ended. */
export async function readSessionId(request: Request): Promise<string | undefined> {
  const name = `${sessionCookieName()}=`;
  const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
  return sessionIdOf(cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length));
}

/** The session id inside a cookie's value, or undefined when it is missing, forged or too old. */
export async function sessionIdOf(cookie: string | undefined): Promise<string | undefined> {
  if (!cookie) return undefined;
  const token = await decode({ token: cookie, secret: env.SESSION_SECRET }).catch(() => null);
  return typeof token?.sid === "string" && isId(token.sid) ? token.sid : undefined;
}
