import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/next-auth";
import type { Realm } from "@/lib/auth/session-cookie";
import { env } from "@/lib/env";
import { clientAddress } from "@/lib/http/client-address";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in, sign-out and their CSRF token of a realm; always served by Next. */
export const signInRoute = (realm: Realm) => async (request: NextRequest, context: Context) => {
  process.env.NEXTAUTH_URL ??= env.APP_URL;
  return NextAuth(request as never, context as never, authOptions(clientAddress(request), realm));
};
