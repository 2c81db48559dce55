import { spendSlotOfAddress } from "@/lib/http/client-address";
import { isKnown } from "@/lib/http/etag";
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
    const etag = `"${id}"`;
    const isFresh = isKnown(request, etag);
    const isContentWanted = !isFresh && request.method !== "HEAD";
    const { contentType, size, content } = await readImage(id, { isContentWanted });
    if (isFresh) return new Response(null, { status: 304, headers: { ...headers, etag } });
    const named = { ...headers, etag, "content-type": contentType, "content-length": String(size) };
    return new Response(content, { headers: named });
  },
});
