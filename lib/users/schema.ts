import { z } from "zod";
import { LinkSecret, longest, NewPassword } from "@/lib/accounts/schema";
import { Email } from "@/lib/typed/fields";
import { locales } from "@/messages";

/** POST /api/dashboard/v1/confirm: the link of a mail, and the password of whoever signed up. */
export const ConfirmBody = z.object({ secret: LinkSecret, password: z.string().min(1).max(longest.password) });
export type ConfirmBody = z.output<typeof ConfirmBody>;

/** POST /api/dashboard/v1/confirm/address: the link of a mail, by the session of the person whose address it is. */
export const ConfirmAddressBody = z.object({ secret: LinkSecret });

/** POST /api/dashboard/v1/forgot */
export const ForgotBody = z.object({ email: Email, locale: z.enum(locales).optional() });
export type ForgotBody = z.output<typeof ForgotBody>;

/** POST /api/dashboard/v1/reset */
export const ResetBody = z.object({ secret: LinkSecret, password: NewPassword });
export type ResetBody = z.output<typeof ResetBody>;

/** What a link proved: whose address it is, which the sign-in that follows needs. */
export const Proved = z.object({ message: z.string(), email: z.string() });
