import type { Transitions } from "@/lib/states";
import type { DocumentKind, DocumentStatus } from "@/prisma/client/enums";

/** The transitions of a document, made by the operator's staff. In place of a refused one another is sent. */
export const documentTransitions = {
  accept: { from: ["sent"], to: "accepted" },
  refuse: { from: ["sent"], to: "refused" },
} as const satisfies Transitions<DocumentStatus>;

/** What each document proves. All of them are asked for. */
export const documentKinds = ["company", "representative", "address"] as const satisfies readonly DocumentKind[];
