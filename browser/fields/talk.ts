import type { Brand } from "@/lib/pan/brands";

/** The messages between the card fields and the page that shows them; `repasse` names a message's kind. */

/** A token in the interface's form: its prefix and an opaque part. */
export type Token = { token: string; brand: string; last4: string; expires_at: string };

/** The shown faults by the path of their field (`card.number`). The texts are ours and never quote what was typed. */
export type Errors = Record<string, string>;

/** A change of the fields: whether all are right, the number's brand, and the shown faults. */
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

/** The look that a seller may set. Sizes in pixels, colours as #rgb or #rrggbb; anything else is left out. */
export type Style = Partial<
  Record<"fontSize" | "radius", number | string> &
    Record<"background" | "surface" | "text" | "muted" | "accent" | "error", string>
>;
