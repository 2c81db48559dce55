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

/** The same after a new password, and where its person signs in. */
export const PasswordReset = Proved.extend({ sign_in: z.enum(["/sign-in", "/operator/sign-in"]) });

/** POST /api/dashboard/v1/security/step-up: a code of the second factor, or the password where there is none. */
export const StepUpBody = z.object({
  code: z.string().max(40).optional(),
  password: z.string().max(longest.password).optional(),
});
export type StepUpBody = z.output<typeof StepUpBody>;

/** POST /api/dashboard/v1/security/second-factor/confirm */
export const CodeBody = z.object({ code: z.string().trim().min(1).max(40) });

/** POST /api/dashboard/v1/security/password */
export const NewPasswordBody = z.object({ password: NewPassword });

/** A secret that an authenticator app is given, also as the URI of a QR code. */
export const NewSecondFactor = z.object({ secret: z.string(), uri: z.string() });
export type NewSecondFactor = z.output<typeof NewSecondFactor>;

/** Codes that stand for the second factor once each, and are never shown again. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

export const SignedIn = z.object({
  id: z.uuid(),
  is_this: z.boolean(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  second_factor_at: z.string().nullable(),
});
export type SignedIn = z.output<typeof SignedIn>;

/** GET /api/dashboard/v1/security */
export const Security = z.object({
  second_factor: z.object({ since: z.string(), recovery_codes_left: z.int() }).nullable(),
  sessions: z.array(SignedIn),
});
export type Security = z.output<typeof Security>;
