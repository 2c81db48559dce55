import { emailOf } from "@/lib/typed/emails";

/** Controls, line and paragraph separators, and marks that change the direction of what follows. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const LONGEST = 200;

/** One line of what people wrote: no line break reaches a header, and none begins a paragraph that looks like ours. */
export function line(text: string, longest = LONGEST): string {
  const whole = text.replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  const letters = [...whole];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : whole;
}

/**
 * The same for a name within a text. Mail programs make links of what looks like an address, so a space without width
 * breaks what would: only our own pages are links.
 */
export const nameIn = (text: string, longest = 120) => line(text, longest).replace(/([.:/@])(?=\S)/g, "$1\u200b");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as HTML, within an element or a quoted attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);

/** Whether the text is one plain address: without a name, a comment, a second address or anything outside of ASCII. */
export const isAddress = (text: string) => emailOf(text) === text.toLowerCase();
