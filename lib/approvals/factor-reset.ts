import { LAPSES_AFTER_MS } from "@/lib/approvals/ask";
import type { SellersPeople } from "@/lib/approvals/schema";
import { approvalTransitions } from "@/lib/approvals/states";
import { recordChange } from "@/lib/audit/record-change";
import { staffScopesOf } from "@/lib/auth/scopes";
import { forAccount, readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { asLocale } from "@/lib/locale/of-person";
import { writeMail } from "@/lib/mail/write";
import { leadsTo, startsFrom } from "@/lib/states";
import { iso, realNow } from "@/lib/time/clock";
import { mailSecurity } from "@/lib/users/mail-security";
import { resetFactor } from "@/lib/users/second-factor";
import type { StaffRole } from "@/prisma/client/enums";

const KIND = "second_factor_reset";

/** `userId` is the person of the staff, and `id` the person of the live account `accountId` who lost the second factor. */
type Asked = { accountId: string; userId: string; id: string };

const open = ({ accountId, id }: Pick<Asked, "accountId" | "id">) =>
  ({ accountId, kind: KIND, subjectId: id, status: "pending", lapsesAt: { gt: realNow() } }) as const;

/**
 * Asks for the second factor of a seller's person to be removed, who has lost it, for another person of the staff to approve. The
 * person is told at once, so that they can object. Throws `person_not_found`, `second_factor_missing`, and `invalid_transition`
 * where it was asked for already.
 */
export const askFactorReset = (input: Asked): Promise<{ message: string }> =>
  forAccount(input.accountId, async (tx) => {
    const { accountId, userId, id: subjectId } = input;
    const user = await lockPerson(tx, input);
    if (!user.totpSince) throw new AppError("second_factor_missing");
    if ((await tx.approval.count({ where: open(input) })) > 0) throw new AppError("invalid_transition");
    const lapsesAt = new Date(realNow().getTime() + LAPSES_AFTER_MS);
    const [id, asked] = [newId(), { person: subjectId }];
    await tx.approval.create({ data: { id, accountId, kind: KIND, subjectId, asked, askedBy: userId, lapsesAt } });
    const after = { kind: KIND, ...asked };
    await recordChange(tx, { accountId, subject: "approval", id, verb: "created", after });
    await mailSecurity(tx, user, "factor_reset_asked");
    return { message: "Outra pessoa da operação precisa aprovar em até 24 horas." };
  });

/**
 * Removes the second factor that another person of the staff asked to remove: the person's sessions end, and they and the owners
 * of the account are told by mail. Throws `person_not_found`, `approval_not_found`, `own_request`, and `second_factor_missing`.
 */
export const approveFactorReset = (input: Asked): Promise<{ message: string }> =>
  forAccount(input.accountId, async (tx) => {
    const { accountId, userId, id } = input;
    const person = await lockPerson(tx, input);
    const waits = await tx.approval.findFirst({ where: open(input) });
    if (!waits) throw new AppError("approval_not_found");
    if (waits.askedBy === userId) throw new AppError("own_request");
    const staff = await tx.$queryRaw<{ roles: StaffRole[] }[]>`
      select staff_roles::text[] as roles from users where id in (${waits.askedBy}::uuid, ${userId}::uuid) order by id for share`;
    const isStill = ({ roles }: { roles: StaffRole[] }) => staffScopesOf(roles).includes("accounts:write");
    if (staff.length < 2 || !staff.every(isStill)) throw new AppError("insufficient_scope");
    const now = realNow();
    await tx.approval.updateMany({
      where: { accountId, id: waits.id, ...startsFrom(approvalTransitions.approve) },
      data: { ...leadsTo(approvalTransitions.approve), decidedBy: userId, decidedAt: now },
    });
    await resetFactor(tx, { userId: id, accountId });
    const after = { kind: KIND, person: id };
    await recordChange(tx, { accountId, subject: "approval", id: waits.id, verb: "approved", after });
    const owners = await tx.membership.findMany({
      where: { accountId, role: "owner", userId: { not: id } },
      include: { user: true },
    });
    for (const { user } of owners) {
      await writeMail(tx, {
        intent: `member_factor_reset:${waits.id}:${user.id}`,
        to: { email: user.email, locale: asLocale(user.locale) },
        ...{ mode: "live", accountId },
        content: { template: "member_factor_reset", name: person.name, at: now.toISOString() },
      });
    }
    return { message: "Segundo fator redefinido." };
  });

/** The person, locked, so that of two who act at once the second one finds what the first did. */
async function lockPerson(tx: Tx, { accountId, id: userId }: Asked) {
  await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
  const where = { userId_accountId: { userId, accountId } };
  const member = await tx.membership.findUnique({ where, include: { user: true } });
  if (!member) throw new AppError("person_not_found");
  return member.user;
}

/** Everybody of a seller's team, for a person of the staff, with the reset of a second factor that waits. */
export const readSellersPeople = ({ accountId, userId }: Omit<Asked, "id">): Promise<SellersPeople> =>
  readFor(accountId, async (tx) => {
    const members = await tx.membership.findMany({
      where: { accountId },
      include: { user: true },
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    });
    const resets = await tx.approval.findMany({
      where: { accountId, kind: KIND, status: "pending", lapsesAt: { gt: realNow() } },
    });
    const resetOf = new Map(resets.map((reset) => [reset.subjectId, reset]));
    return {
      data: members.map(({ user: { id, name, email, totpSince }, role }) => {
        const reset = resetOf.get(id);
        return {
          ...{ id, name, email, role, has_second_factor: totpSince !== null },
          reset: reset ? { is_mine: reset.askedBy === userId, lapses_at: iso(reset.lapsesAt) } : null,
        };
      }),
    };
  });
