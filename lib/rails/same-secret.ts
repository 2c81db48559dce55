import { createHash, timingSafeEqual } from "node:crypto";

/** Compares secrets in a time that depends on neither. */
export const isSameSecret = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string) => createHash("sha256").update(text).digest();
