import { z } from "zod";

const shown = z.string();

/** What keeps an account from being closed: reais of each balance, and how many of each are open. */
export const Closing = z.object({
  available: shown,
  pending: shown,
  blocked: shown,
  held: shown,
  refunds: z.int(),
  disputes: z.int(),
  subscriptions: z.int(),
  charges: z.int(),
});
export type Closing = z.output<typeof Closing>;
export const ClosingAnswer = z.object({ data: Closing });

/** POST /api/dashboard/v1/account/closing: the account's name, typed again. */
export const CloseBody = z.object({ name: z.string().trim().max(120) });
export type CloseBody = z.output<typeof CloseBody>;
