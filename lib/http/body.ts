import { AppError } from "@/lib/errors";

/** The largest body: 1 MB. */
const MAX_BYTES = 1_000_000;
/** How much of an oversized body is read and dropped, so that its sender can read the answer. */
const MAX_DRAINED_BYTES = 4_000_000;

/**
 * The request's text. Throws `payload_too_large` over `limit` bytes, and `invalid_json` when the caller's connection
 * breaks while it is read.
 */
export async function readText(request: Request, limit = MAX_BYTES): Promise<string> {
  if (isDeclared(request, limit)) return request.text().catch(broken);
  return (await collect(request, limit)).toString("utf8");
}

/** The request's bytes as they came. Throws as `readText` does. */
export async function readBytes(request: Request, limit = MAX_BYTES): Promise<Buffer> {
  if (isDeclared(request, limit)) return Buffer.from(await request.arrayBuffer().catch(broken));
  return collect(request, limit);
}

/** Whether the body's length is declared. Throws `payload_too_large` before any of it is read. */
function isDeclared(request: Request, limit: number): boolean {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw new AppError("payload_too_large"); // the host drops the rest
  return declared !== null;
}

async function collect(request: Request, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size <= limit) chunks.push(chunk);
      if (size > MAX_DRAINED_BYTES) break;
    }
  } catch (error) {
    broken(error);
  }
  if (size > limit) throw new AppError("payload_too_large");
  return Buffer.concat(chunks);
}

function broken(error: unknown): never {
  throw new AppError("invalid_json", { cause: error });
}

/** A number of 16 characters or more, which a float may not hold exactly, so that its text is kept. */
const LONG_NUMBER = /\d[\d.eE+-]{15}/;
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]{15,}/g;

/**
 * The JSON of a request; an empty body is `{}`. A number too long for a float to hold exactly becomes a string, because
 * amounts are read from the text; every shorter number prints as it was written. Throws `invalid_json`, or
 * `unsupported_media_type` when the content type is not JSON either.
 */
export function parseJson(text: string, contentType: string | null): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (!LONG_NUMBER.test(text)) return value;
    const exact = text.replace(STRING_OR_LONG_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
    return JSON.parse(exact);
  } catch {
    const promised = contentType === null || /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
    throw new AppError(promised ? "invalid_json" : "unsupported_media_type");
  }
}
