import { hkdfSync } from "node:crypto";
import { env } from "@/lib/env";

const derived = new Map<string, { from: string; key: Buffer }>();

/** A key for one purpose, derived from `SESSION_SECRET`: what is signed for one purpose is worth nothing for another. */
export function derivedKey(purpose: string): Buffer {
  const { SESSION_SECRET: from } = env;
  const known = derived.get(purpose);
  if (known?.from === from) return known.key;
  const key = Buffer.from(hkdfSync("sha256", from, "", purpose, 32));
  derived.set(purpose, { from, key });
  return key;
}
