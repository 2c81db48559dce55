/** An answer as it goes over the wire. */
export type Answer = { status: number; body: string };

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** JSON that no cache keeps and no browser takes for anything else. */
export const respond = ({ status, body }: Answer, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { ...HEADERS, ...headers } });
