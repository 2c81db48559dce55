import { decode } from "next-auth/jwt";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";

/** `__Host-` binds the cookie to this origin; the port is in its name because two copies on one host share a jar. */
export const sessionCookieName = () => `__Host-repasse-${env.PORT}`;

/** Where next-auth would keep an address to go back to; our pages keep none, so none is believed (lib/http/pages.ts). */
export const callbackCookieName = () => `__Host-repasse-callback-${env.PORT}`;

/** The session id inside the request's signed cookie, or undefined. Whether it still lives is the row's to say. */
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
