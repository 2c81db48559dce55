import { recordChange } from "@/lib/audit/record-change";
import { PLATFORM } from "@/lib/ledger/chart";
import { changeStaff, type OfStaff } from "@/lib/staff/change";
import { realNow } from "@/lib/time/clock";
import { noPassword } from "@/lib/users/password";
import { forgetSecondFactor } from "@/lib/users/second-factor";

/**
 * Takes a person out of the staff: their sessions end at once, and their password and second factor are forgotten. The person is
 * kept, because the history names them. Throws as `changeStaff` does.
 */
export async function removeStaff(input: OfStaff) {
  const passwordHash = await noPassword();
  return changeStaff(input, async (tx, { id, email, name, staffRoles: roles }) => {
    await tx.user.update({ where: { id }, data: { staffRoles: [], passwordHash, emailConfirmedAt: null } });
    await tx.session.updateMany({ where: { userId: id, revokedAt: null }, data: { revokedAt: realNow() } });
    await tx.mailLink.deleteMany({ where: { email } });
    await forgetSecondFactor(tx, id);
    const before = { name, email, roles };
    await recordChange(tx, { accountId: PLATFORM, subject: "member", id, verb: "removed", before });
    return { message: "Pessoa removida." };
  });
}
