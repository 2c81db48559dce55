import { recordChange } from "@/lib/audit/record-change";
import { present } from "@/lib/credentials/present";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { realNow } from "@/lib/time/clock";

/**
 * Gives a credential scopes that a second person agreed to, in the transaction of the decision. Throws `credential_not_found` for
 * one that was revoked meanwhile.
 */
export async function grantScopes(tx: Tx, accountId: string, asked: { client_id: string; scopes: string[] }) {
  const { client_id: clientId, scopes } = asked;
  const was = await tx.credential.findFirst({ where: { clientId, accountId, revokedAt: null } });
  if (!was) throw new AppError("credential_not_found");
  const data = { scopes: [...new Set([...was.scopes, ...scopes])], changedAt: realNow() };
  const credential = await tx.credential.update({ where: { clientId, accountId }, data });
  const [before, after] = [present(was), present(credential)];
  await recordChange(tx, { accountId, subject: "credential", id: clientId, verb: "updated", before, after });
}
