import { readDocuments } from "@/lib/account-documents/read";
import type { AccountDocument } from "@/lib/account-documents/schema";
import { documentKinds } from "@/lib/account-documents/states";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Needed, Onboarding } from "@/lib/onboarding/schema";
import { readNewestRequest } from "@/lib/profile-requests/read";
import { isoOrNull } from "@/lib/time/clock";
import type { Account } from "@/prisma/client/client";

/** What is missing of a live account, and its documents. Throws `account_not_live`. */
export const readOnboarding = (accountId: string): Promise<{ data: Onboarding }> =>
  readFor(accountId, async (tx) => ({ data: await onboardingOf(tx, accountId) }));

/** The same of an account in scope. */
export async function onboardingOf(tx: Tx, accountId: string): Promise<Onboarding> {
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (account?.mode !== "live") throw new AppError("account_not_live");
  const documents = await readDocuments(tx, accountId);
  const missing = [...(await missingOf(tx, account)), ...missingDocuments(documents)];
  return { status: account.status, missing, review_asked_at: isoOrNull(account.reviewAskedAt), documents };
}

/** Who represents the company may still be a request, which is decided in the same review. */
async function missingOf(tx: Tx, { id, phone, address, legalRepresentative }: Account): Promise<Needed[]> {
  const request = legalRepresentative ? null : await readNewestRequest(tx, id);
  const isAsked = request?.status === "pending" && request.legal_representative !== null;
  return [
    ...(phone === null ? (["phone"] as const) : []),
    ...(address === null ? (["address"] as const) : []),
    ...(legalRepresentative === null && !isAsked ? (["legal_representative"] as const) : []),
  ];
}

const missingDocuments = (documents: readonly AccountDocument[]): Needed[] =>
  documentKinds
    .filter((kind) => !documents.some((one) => one.kind === kind && one.status !== "refused"))
    .map((kind) => `document_${kind}` as const);
