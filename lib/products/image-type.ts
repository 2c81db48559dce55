import { invalid } from "@/lib/errors";

/** The widest and highest picture, so that showing one takes a browser at most 64 MB. */
const MAX_PIXELS = 4_096;

/** A width and a height in pixels. */
type Size = readonly [width: number, height: number];

/** How each type begins, in hexadecimal, and what reads the size from its header, or undefined if it is not there. */
const types = [
  { type: "image/png", start: /^89504e470d0a1a0a0000000d49484452/, sizeOf: sizeOfPng },
  { type: "image/jpeg", start: /^ffd8ff/, sizeOf: sizeOfJpeg },
  { type: "image/webp", start: /^52494646.{8}57454250565038(20|4c|58)/, sizeOf: sizeOfWebp }, // RIFF, WEBP, VP8
];

/**
 * The type of a picture by its first bytes, whatever its sender calls it. Only its header is read: nothing here decodes
 * a picture. Throws 422 at `image` for bytes of no type that we accept, a header that is cut off, and a picture that is
 * empty or larger than `MAX_PIXELS` on a side.
 */
export function imageTypeOf(bytes: Buffer): string {
  const picture = pictureOf(bytes);
  if (!picture) throw invalid({ image: ["Envie uma imagem PNG, JPEG ou WebP."] });
  if (picture.size.some((pixels) => pixels < 1 || pixels > MAX_PIXELS)) {
    throw invalid({ image: [`Envie uma imagem de até ${MAX_PIXELS} × ${MAX_PIXELS} pixels.`] });
  }
  return picture.type;
}

/** The type and size of a picture, however large it is; undefined for all else and for a header that is cut off. */
export function pictureOf(bytes: Buffer): { type: string; size: Size } | undefined {
  const start = bytes.toString("hex", 0, 16);
  const found = types.find((one) => one.start.test(start));
  const size = found?.sizeOf(bytes);
  return found && size && { type: found.type, size };
}

/** PNG, third edition, section 11.2.1: the chunk IHDR comes first, and ends with its checksum at byte 33. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  return bytes.length < 33 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** JPEG (ITU-T T.81, annex B): segments up to the frame header, which has the height before the width. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes.readUInt8(at + 1);
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff) return undefined;
    if (isFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    const isFill = marker === 0xff;
    if (!isFill && (!isSegment(marker) || length < 2)) return undefined;
    at += isFill ? 1 : 2 + length;
  }
  return undefined;
}

/** Whether a marker before the frame header has a segment with a length. The scan, and what stands alone, has none. */
const isSegment = (marker: number) => marker >= 0xc0 && (marker < 0xd0 || marker > 0xda);

/** The markers SOF0 to SOF15; DHT, JPG and DAC have numbers between theirs. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** WebP (RFC 9649, section 2): lossy, lossless or extended, by the fourth letter of the first chunk. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  switch (String.fromCharCode(bytes[15] as number)) {
    case " ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case "L": {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    default:
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  }
}
