import { recordChange } from "@/lib/audit/record-change";
import { PLATFORM } from "@/lib/ledger/chart";
import { changeStaff, type OfStaff } from "@/lib/staff/change";
import type { StaffRole } from "@/prisma/client/enums";

/** Gives a person of the staff other roles, which their next call has. Throws as `changeStaff` does. */
export const changeStaffRoles = ({ roles, ...who }: OfStaff & { roles: StaffRole[] }) =>
  changeStaff(who, async (tx, { id, name, staffRoles }) => {
    await tx.user.update({ where: { id }, data: { staffRoles: roles } });
    const change = { before: { name, roles: staffRoles }, after: { name, roles } };
    await recordChange(tx, { accountId: PLATFORM, subject: "member", id, verb: "updated", ...change });
    return { message: "Permissões alteradas." };
  });
