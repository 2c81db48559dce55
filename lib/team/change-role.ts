import type { AccountContext } from "@/lib/accounts/context";
import { assertMayTouch, assertOwnerLeft } from "@/lib/team/lock";
import { askOwners, giveRole, type OfMember, withMember } from "@/lib/team/membership";
import type { Role } from "@/prisma/client/enums";

/**
 * Gives a person another role, which the credentials that follow it have from then on. An owner gets another one once another
 * owner agrees. Throws `person_not_found`, `insufficient_scope`, `last_owner`.
 */
export const changeRole = (account: AccountContext, input: OfMember & { role: Role }) =>
  withMember(input, async (tx, team, member, mine) => {
    const { role } = input;
    assertMayTouch(mine, role);
    if (member.role === "owner" && role !== "owner") {
      assertOwnerLeft(team, member.userId);
      if (input.id !== input.by.userId) return askOwners(tx, account, input, role);
    }
    await giveRole(tx, member, role);
    return { message: "Permissão alterada." };
  });
