import type { Style } from "@/browser/fields/talk";

const COLOR = /^#([\da-f]{3}|[\da-f]{6})$/i;

/** The properties that a seller may set, each with its variable of the look and its bounds. */
const sizes = { fontSize: ["--text", 12, 24], radius: ["--radius", 0, 24] } as const;
const colors = {
  background: "--page",
  surface: "--surface",
  text: "--ink",
  muted: "--muted",
  accent: "--accent",
  error: "--bad",
} as const;

/** The variables of the look that a seller's style sets. Other properties, and values out of bounds, are left out. */
export function variablesOf(style: unknown): [name: string, value: string][] {
  if (typeof style !== "object" || style === null) return [];
  const given = style as Record<keyof Style, unknown>;
  const found: [string, string][] = [];
  for (const [name, [variable, min, max]] of Object.entries(sizes)) {
    const text = String(given[name as keyof Style] ?? "");
    const size = /^\d{1,2}(\.\d)?(px)?$/.test(text) ? Number.parseFloat(text) : -1;
    if (size >= min && size <= max) found.push([variable, `${size}px`]);
  }
  for (const [name, variable] of Object.entries(colors)) {
    const color = String(given[name as keyof Style] ?? "");
    if (COLOR.test(color)) found.push([variable, color]);
  }
  return found;
}

/** The style in an address's fragment, which never leaves the browser. */
export function readFragment(hash: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(hash.slice(1)));
  } catch {
    return undefined;
  }
}
