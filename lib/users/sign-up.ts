import type { SignUpAnswer, SignUpBody } from "@/lib/accounts/schema";
import { isSqlState, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { createSeller, type NewSeller } from "@/lib/sellers/create";
import { realNow } from "@/lib/time/clock";
import { assertUncommon } from "@/lib/users/common-password";
import { askLink } from "@/lib/users/links";
import { hashPassword } from "@/lib/users/password";

/** From where somebody signs up, and whether they come from an invitation's link that was sent to this e-mail. */
type From = { ip: string; isInvited: boolean };

/**
 * Keeps what was typed until the link of a mail to that address is followed (`lib/users/confirm.ts`); the answer is the
 * same for an e-mail that is known already, whose owner gets a mail that says so. Of somebody who was invited the seller is
 * made at once; a mail confirms the address, because an invitation may have been forwarded, and other invitations to it
 * wait for that.
 * Throws 422 at `password` for a common one, and `email_taken` to whoever was invited by a mail to that e-mail.
 */
export async function signUp(input: SignUpBody & From): Promise<SignUpAnswer> {
  const { company, document, name, email, password, locale = "pt-BR", ip, isInvited } = input;
  await assertUncommon(password);
  const passwordHash = await hashPassword(password);
  if (!isInvited) {
    await askLink({ kind: "sign_up", email, ip, locale, signUp: { company, document, name, passwordHash } });
    return { message: "Enviamos um e-mail. Abra o link que está nele para continuar.", status: "mailed" };
  }
  await create({ company, document, person: { name, email, passwordHash, locale } });
  await askLink({ kind: "confirm_address", email, ip, locale });
  return { message: "Conta criada. Você já pode entrar e usar o ambiente de testes.", status: "created" };
}

/** Makes a seller whose person has proved the e-mail. Throws `email_taken`, and what `first` throws. */
export const createConfirmed = ({ person, ...seller }: NewSeller, first: (tx: Tx) => Promise<void>) =>
  create({ ...seller, person: { ...person, emailConfirmedAt: realNow() } }, first);

const create = (seller: NewSeller, first?: (tx: Tx) => Promise<void>) =>
  createSeller(seller, first).catch((error) => {
    if (isSqlState(error, "23505")) throw new AppError("email_taken", { cause: error });
    throw error;
  });
