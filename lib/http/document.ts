import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { isKnown } from "@/lib/http/etag";
import { sha256 } from "@/lib/ids";

/** Compresses without holding up the process. */
export const zip = promisify(gzip);

type Prepared = Record<"plain" | "zipped", Uint8Array<ArrayBuffer>> & { etag: string };

/** What answers with a text that is the same for all and for ever. It is made, encoded and compressed once in a process. */
export function documentOf(make: () => string, headers: Record<string, string>) {
  let prepared: Promise<Prepared> | undefined;
  return async (request: Request): Promise<Response> => {
    prepared ??= prepare(make());
    const { plain, zipped, etag } = await prepared;
    const named = { ...headers, etag, vary: "Accept-Encoding" };
    if (isKnown(request, etag)) return new Response(null, { status: 304, headers: named });
    if (!takesGzip(request)) return new Response(plain, { headers: named });
    return new Response(zipped, { headers: { ...named, "content-encoding": "gzip" } });
  };
}

/** Whether a caller takes compressed answers. */
export const takesGzip = ({ headers }: Request) => /\bgzip\b/.test(headers.get("accept-encoding") ?? "");

/** The ETag is weak, because both forms have it. */
async function prepare(text: string): Promise<Prepared> {
  const plain = Buffer.from(text);
  return { plain, zipped: await zip(plain), etag: `W/"${sha256(text).toString("base64url")}"` };
}
