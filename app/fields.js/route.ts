import { script } from "@/components/fields/browser.generated";
import { hardening } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";

const headers = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=600",
  "cross-origin-resource-policy": "cross-origin",
  ...hardening,
};

/** What shows our card fields in a seller's page. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: async () => new Response(script, { headers }) });
