import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time. */
export const isSameSecret = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string) => createHash("sha256").update(text).digest();
