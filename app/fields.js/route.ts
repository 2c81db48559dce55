import { script } from "@/browser/fields/browser.generated";
import { documentOf } from "@/lib/http/document";
import { hardening } from "@/lib/http/hardening";
import { methods } from "@/lib/http/methods";

const headers = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=600",
  "cross-origin-resource-policy": "cross-origin",
  ...hardening,
};

/** What shows our card fields in a seller's page. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: documentOf(() => script, headers) });
