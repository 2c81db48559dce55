/** A file that is answered as it was sent, for whoever may have it, to be saved and never opened on our origin. */
export type Attachment = { contentType: string; name: string; bytes: Buffer };

/** Whoever opens the address gets a file to save, and never a page that could run something. */
const HEADERS = {
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
};

/** The answer with a file as its body. */
export function attachmentOf({ contentType, name, bytes }: Attachment) {
  const headers = {
    ...HEADERS,
    "content-type": contentType,
    "content-disposition": `attachment; filename="${name}"`,
    "content-length": String(bytes.byteLength),
  };
  return {
    answer: { status: 200, body: "" },
    code: undefined,
    stream: new Blob([new Uint8Array(bytes)]).stream(),
    headers,
  };
}
