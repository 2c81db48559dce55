import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { methods } from "@/lib/http/methods";
import { openapi } from "@/lib/http/openapi";

/** The document as it is sent: encoding its hundreds of kilobytes again would cost more than the rest of an answer. */
let document: Uint8Array<ArrayBuffer> | undefined;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async () => {
    document ??= new TextEncoder().encode(JSON.stringify(openapi(routes, env.APP_URL)));
    return new Response(document, { headers: { "content-type": "application/json" } });
  },
});
