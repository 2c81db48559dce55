import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/next-auth";
import { env } from "@/lib/env";
import { clientAddress } from "@/lib/http/client-address";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Sign-in, sign-out and their CSRF token, of the operator's staff; always served by Next. */
async function handler(request: NextRequest, context: Context): Promise<Response> {
  process.env.NEXTAUTH_URL ??= env.APP_URL;
  return NextAuth(request as never, context as never, authOptions(clientAddress(request), "staff"));
}

export { handler as GET, handler as POST };
