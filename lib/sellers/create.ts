import { newAccountTerms, sandboxTerms } from "@/lib/accounts/terms";
import { actAs, currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import type { Locale } from "@/messages";
import { Feature } from "@/prisma/client/enums";

export type NewSeller = {
  company: string;
  document: string;
  /** The sandbox account's features, all by default. The live account has those that the operator grants. */
  sandboxFeatures?: Feature[];
  person: { name: string; email: string; passwordHash: string; emailConfirmedAt?: Date; locale?: Locale };
};

/**
 * Makes a seller: its first person, its live account (pending) and its sandbox account (approved), all or nothing. `first`
 * runs in the same transaction before them; what it throws refuses all.
 */
export async function createSeller(
  { company, document, sandboxFeatures = Object.values(Feature), person }: NewSeller,
  first: (tx: Tx) => Promise<void> = async () => {},
) {
  const [userId, liveId, sandboxId] = [newId(), newId(), newId()];
  const both = { name: company, email: person.email, document, ...newAccountTerms };
  const sandbox = { twinId: liveId, status: "approved", features: sandboxFeatures, ...sandboxTerms } as const;
  await forAccount([liveId, sandboxId], async (tx) => {
    await first(tx);
    await tx.user.create({ data: { id: userId, ...person } });
    await tx.account.create({ data: { id: liveId, mode: "live", ...both } });
    const after = { name: company, email: person.email, document };
    const record = () =>
      recordChange(tx, { accountId: liveId, subject: "account", id: liveId, verb: "created", after });
    await actAs({ ...currentActor(), kind: "person", id: userId }, record);
    await tx.account.create({ data: { id: sandboxId, mode: "sandbox", ...both, ...sandbox } });
    await tx.membership.create({ data: { userId, accountId: liveId, sandboxId, role: "owner" } });
  });
  return { userId, liveId, sandboxId };
}
