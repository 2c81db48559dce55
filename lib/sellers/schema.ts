import { z } from "zod";
import { MailRoute } from "@/lib/mail/schema";

/** What this installation can do for a seller: where its mails go, and which providers there are for real money. */
export const SellerMeta = z.object({ route: MailRoute, rails: z.object({ pix: z.boolean(), cards: z.boolean() }) });
export type SellerMeta = z.output<typeof SellerMeta>;
