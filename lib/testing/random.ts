import { sha256 } from "@/lib/ids";

/** A generator of the same numbers for the same seed (mulberry32), from 0 to 1. */
export function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random numbers for what a text names, which are the same in whatever order the names are asked for. */
export const randomOf = (name: string) => randomFrom(sha256(name).readInt32BE());
