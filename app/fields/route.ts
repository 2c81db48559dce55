import { closedPage, fieldsPage } from "@/browser/fields/page";
import { signPageToken } from "@/lib/auth/page-token";
import { policyHeaders } from "@/lib/http/csp-reports";
import { hardening } from "@/lib/http/hardening";
import { methods } from "@/lib/http/methods";
import { newSecret } from "@/lib/ids";
import { readFieldsOrigins } from "@/lib/public-keys/public-key";
import { FieldsQuery } from "@/lib/public-keys/schema";

/** The card fields, for an iframe in the pages of the key's domains or of our own checkout, and in no other. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async (request) => {
    const asked = FieldsQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
    const look = { nonce: newSecret(), locale: asked.locale, theme: asked.theme };
    const origins = await readFieldsOrigins(asked.key, asked.parent);
    const headers = headersFor(look.nonce, origins);
    if (origins.length === 0) return new Response(closedPage(look), { status: 404, headers });
    const pageToken = signPageToken(asked.key);
    const parent = origins.find((origin) => origin === asked.parent) ?? null;
    const page = fieldsPage({ ...look, setup: { publicKey: asked.key, pageToken, parent } });
    return new Response(page, { headers: { ...headers, "x-page-token": pageToken } });
  },
});

const headersFor = (nonce: string, origins: string[]) => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  ...policyHeaders([
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.join(" ") || "'none'"}`,
  ]),
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "same-origin",
  ...hardening,
});
