import type { Answer } from "@/lib/errors";

/** What every answer to a browser says: come back over TLS alone, and take it for what it says it is. */
export const hardening = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
};

const HEADERS = { ...hardening, "content-type": "application/json", "cache-control": "no-store" };

/** JSON that no cache keeps and no browser takes for anything else. */
export const respond = ({ status, body }: Answer, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { ...HEADERS, ...headers } });
