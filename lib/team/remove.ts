import type { AccountContext } from "@/lib/accounts/context";
import { assertOwnerLeft } from "@/lib/team/lock";
import { askOwners, endMembership, type OfMember, withMember } from "@/lib/team/membership";

/**
 * Takes a person out of a team: their sessions end at once, and so do the credentials that they made and that follow their role.
 * An owner is removed once another owner agrees. Throws `person_not_found`, `insufficient_scope`, `last_owner`.
 */
export const removeMember = (account: AccountContext, input: OfMember) =>
  withMember(input, async (tx, team, member) => {
    if (member.role === "owner" && input.id !== input.by.userId) return askOwners(tx, account, input, null);
    assertOwnerLeft(team, member.userId);
    await endMembership(tx, member);
    return { message: "Pessoa removida." };
  });
