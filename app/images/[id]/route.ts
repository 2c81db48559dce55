import { spendSlotOfAddress } from "@/lib/http/client-address";
import { hardening } from "@/lib/http/hardening";
import { methods } from "@/lib/http/methods";
import { readImage } from "@/lib/products/image";

/** Whoever opens the address itself gets a picture and never a page that could run something on our origin. */
const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  ...hardening,
};

/** A product's picture, for anybody who has its address. A picture never changes, so caches keep it for ever. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async (request, { params }) => {
    await spendSlotOfAddress("image-address", request);
    const { id = "" } = (await params) ?? {};
    const { content_type: contentType, bytes } = await readImage(id);
    return new Response(bytes, { headers: { ...headers, "content-type": contentType } });
  },
});
