import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { documentOf } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";
import { openapi } from "@/lib/http/openapi";
import { describeSent } from "@/lib/webhooks/describe";

/** A release may change the document, so a cache asks each time whether it did. */
const headers = { "content-type": "application/json", "cache-control": "no-cache" };

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: documentOf(() => JSON.stringify(openapi(routes, env.APP_URL, describeSent())), headers),
});
