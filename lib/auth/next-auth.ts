import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { longest } from "@/lib/accounts/schema";
import { callbackCookieName, type Realm, sessionCookieName } from "@/lib/auth/session-cookie";
import { signInPages } from "@/lib/auth/sign-in-path";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { localeIn } from "@/lib/locale/of-person";
import { log } from "@/lib/log";
import { signIn } from "@/lib/users/sign-in";
import { signOut } from "@/lib/users/sign-out";

/**
 * The life of the cookie and of what it signs. A session ends by its row, whose limits go by the database's clock; next-auth
 * compares with the clock of whichever machine answers, so the cookie outlives every session by a day.
 */
const MAX_AGE_S = 36 * 60 * 60;

/** Sign-in by password. The cookie carries only the id of a session row, which every request looks up. */
export function authOptions(clientIp: string, realm: Realm): AuthOptions {
  const page = signInPages[realm];
  return {
    secret: env.SESSION_SECRET,
    pages: { signIn: page, signOut: page, error: page },
    session: { strategy: "jwt", maxAge: MAX_AGE_S },
    cookies: {
      sessionToken: cookie(sessionCookieName(realm)),
      csrfToken: cookie(`__Host-repasse-csrf-${env.PORT}`),
      callbackUrl: cookie(callbackCookieName()),
    },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, code: {} },
        async authorize(credentials, request) {
          const { email = "", password = "", code = "" } = credentials ?? {};
          if (![email, password, code].every((one) => typeof one === "string")) return null;
          if (email.length > longest.email || password.length > longest.password || code.length > longest.code)
            return null;
          const userAgent = String(request.headers?.["user-agent"] ?? "");
          const locale = localeIn(String(request.headers?.cookie ?? ""));
          const by = { realm, ip: clientIp, userAgent, locale };
          const session = await signIn({ email, password, code, ...by }).catch(throwCode);
          return session && { id: session.userId, sid: session.sessionId };
        },
      }),
    ],
    callbacks: {
      redirect: ({ url, baseUrl }) => (isOurs(url, baseUrl) ? new URL(url, baseUrl).href : baseUrl),
      jwt: ({ token, user }) => (user ? { sub: user.id, sid: (user as { sid?: string }).sid } : token),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === "string") await signOut(token.sid);
      },
    },
    logger: { error: (code) => log.error({ code: String(code).slice(0, 100) }, "sign-in"), warn: () => {} },
  };
}

/** Whether an address to go to next is a URL of this installation. */
const isOurs = (url: unknown, baseUrl: string) =>
  typeof url === "string" && URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === new URL(baseUrl).origin;

const cookie = (name: string) => ({
  name,
  options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } as const,
});

/** next-auth sends the browser the text of the error that it catches, so that text is only a code. */
function throwCode(error: unknown): never {
  if (error instanceof AppError) throw new Error(error.code);
  log.error({ error }, "sign-in failed");
  throw new Error("internal");
}
