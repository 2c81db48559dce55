import { invalid } from "@/lib/errors";
import { pictureOf } from "@/lib/products/image-type";

/** ISO 32000-2, section 7.5.2: the header's version is 1.0 to 1.7 or 2.0; section 7.5.5: the file ends with this mark. */
const PDF = /^%PDF-(1\.[0-7]|2\.0)[\r\n]/;
const PDF_END = "%%EOF";
/** How far before the end of the file readers look for the mark. */
const TAIL_BYTES = 1_024;

/**
 * The type of a document by its bytes, whatever its sender calls it. Nothing here opens one. Throws 422 at `file` for bytes
 * of no type that we accept.
 */
export function documentTypeOf(bytes: Buffer): string {
  const isPdf = PDF.test(bytes.toString("latin1", 0, 9)) && bytes.subarray(-TAIL_BYTES).includes(PDF_END);
  if (isPdf) return "application/pdf";
  const picture = pictureOf(bytes);
  if (picture && picture.type !== "image/webp") return picture.type;
  throw invalid({ file: ["Envie um PDF, JPEG ou PNG."] });
}
