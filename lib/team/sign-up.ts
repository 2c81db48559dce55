import { isSqlState } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { inTeamOf, join } from "@/lib/team/join";
import type { JoinBody } from "@/lib/team/schema";
import { realNow } from "@/lib/time/clock";
import { assertUncommon } from "@/lib/users/common-password";
import { createPerson } from "@/lib/users/create-person";
import { hashPassword } from "@/lib/users/password";

/**
 * Joins a team as the invited person who has no sign-in yet, whose e-mail the link has proved. Throws `link_expired`, `email_taken`,
 * and 422 at `password` for a common one.
 */
export async function signUpToTeam({ secret, name, password, locale = "pt-BR" }: JoinBody) {
  await assertUncommon(password);
  const passwordHash = await hashPassword(password);
  return inTeamOf(secret, async (tx, team, invitation) => {
    const id = newId();
    const person = { id, name, email: invitation.email, passwordHash, locale, emailConfirmedAt: realNow() };
    await createPerson(tx, person).catch((error) => {
      if (isSqlState(error, "23505")) throw new AppError("email_taken", { cause: error });
      throw error;
    });
    return join(tx, { team, invitation, userId: id });
  });
}
