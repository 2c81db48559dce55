import { z } from "zod";
import { PageQuery } from "@/lib/lists/pagination";

/** GET /api/operator/v1/unanswered: the longest waiting first. */
export const UnansweredQuery = PageQuery;
export type UnansweredQuery = z.output<typeof UnansweredQuery>;

/** A call or a watch that a provider has not answered for a day. */
export const Unanswered = z.object({
  /** `call`: something that we asked the provider to do. `watch`: a record that the provider may change by itself. */
  what: z.enum(["call", "watch"]),
  kind: z.string(),
  provider: z.string(),
  /** Our id of a call, the provider's own id of a watched record. */
  id: z.string(),
  /** Whose call it is; a watch belongs to a provider alone. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  since: z.string(),
});
export type Unanswered = z.output<typeof Unanswered>;
