import type { Style } from "@/components/fields/talk";

const COLOR = /^#([\da-f]{3}|[\da-f]{6})$/i;

/** The properties that a seller may set, each by one variable of the look, and within which bounds. */
const sizes = { fontSize: ["--text", 12, 24], radius: ["--radius", 0, 24] } as const;
const colors = {
  background: "--page",
  surface: "--surface",
  text: "--ink",
  muted: "--muted",
  accent: "--accent",
  error: "--bad",
} as const;

/** The variables of the look that a seller's wishes set; what is no wish of these, or no such value, is left out. */
export function variablesOf(wishes: unknown): [name: string, value: string][] {
  if (typeof wishes !== "object" || wishes === null) return [];
  const asked = wishes as Record<keyof Style, unknown>;
  const found: [string, string][] = [];
  for (const [name, [variable, least, most]] of Object.entries(sizes)) {
    const text = String(asked[name as keyof Style] ?? "");
    const size = /^\d{1,2}(\.\d)?(px)?$/.test(text) ? Number.parseFloat(text) : -1;
    if (size >= least && size <= most) found.push([variable, `${size}px`]);
  }
  for (const [name, variable] of Object.entries(colors)) {
    const color = String(asked[name as keyof Style] ?? "");
    if (COLOR.test(color)) found.push([variable, color]);
  }
  return found;
}

/** The wishes in an address's fragment, which never leaves the browser. */
export function readFragment(hash: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(hash.slice(1)));
  } catch {
    return undefined;
  }
}
