import type { Brand } from "@/lib/pan/brands";

/** The messages between the card fields and the page that shows them; `repasse` names a message's kind. */

/** A token as the interface has it (interface.md, Card token). */
export type Token = { token: string; brand: string; last4: string; expires_at: string };

/** The faults shown, by the path of their field (`card.number`): texts of ours, never what was typed. */
export type Errors = Record<string, string>;

/** Whether all fields are right, which brand the number has, and which faults are shown. */
export type Change = { complete: boolean; brand: Brand | null; errors: Errors };

/** Why there is no token. */
export type Failure = { code: string; message: string; errors: Errors };

export type FromFields =
  | { repasse: "ready" }
  | { repasse: "height"; height: number }
  | { repasse: "change"; change: Change }
  | { repasse: "token"; id: number; token: Token }
  | { repasse: "failed"; id: number; failure: Failure };

export type ToFields = { repasse: "tokenize"; id: number };

/** What a seller may change of the look. Sizes in pixels, colours as #rgb or #rrggbb; anything else is left out. */
export type Style = Partial<
  Record<"fontSize" | "radius", number | string> &
    Record<"background" | "surface" | "text" | "muted" | "accent" | "error", string>
>;
