import { z } from "zod";
import { AccountDocument } from "@/lib/account-documents/schema";
import { documentKinds } from "@/lib/account-documents/states";
import { time } from "@/lib/time/schema";
import { AccountStatus } from "@/prisma/client/enums";

/** What an account needs before its review is asked for; the kinds are of documents. */
export const needed = [
  "phone",
  "address",
  "legal_representative",
  ...documentKinds.map((kind) => `document_${kind}` as const),
] as const;
export type Needed = (typeof needed)[number];

/** How far a live account is on its way to its approval. */
export const Onboarding = z.object({
  status: z.enum(AccountStatus),
  missing: z.array(z.enum(needed)),
  /** Since when its seller waits for the review. */
  review_asked_at: time.nullable(),
  documents: z.array(AccountDocument),
});
export type Onboarding = z.output<typeof Onboarding>;
export const OnboardingAnswer = z.object({ data: Onboarding });
