import { forAccount } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { asLocale } from "@/lib/locale/of-person";
import { realNow } from "@/lib/time/clock";
import { countAttempt, findLink, useUp } from "@/lib/users/links";
import { isPassword } from "@/lib/users/password";
import type { ConfirmBody } from "@/lib/users/schema";
import { createConfirmed } from "@/lib/users/sign-up";
import type { MailLink } from "@/prisma/client/client";

const KINDS = ["sign_up", "confirm_address"] as const;

/**
 * Confirms the address that a link was sent to. Of a sign-up it makes the seller, and of a person who exists it notes the
 * proof. Both need the password too: an address may be in a sign-up that somebody else made, and its owner must not open
 * an account whose password that person knows.
 * Throws `link_expired`, 422 at `password`, `rate_limit_exceeded`, and `email_taken` if another sign-up was confirmed.
 */
export async function confirmLink({ secret, password }: ConfirmBody): Promise<{ message: string; email: string }> {
  const link = await forAccount([], (tx) => findLink(tx, secret, KINDS));
  await countAttempt(link);
  const passwordHash = await passwordHashOf(link);
  if (!(await isPassword(passwordHash, password))) {
    throw invalid({ password: ["A senha não confere. Use a que foi escolhida no cadastro."] });
  }
  await (link.kind === "sign_up" ? openAccount(link) : noteProof(link));
  return { message: "E-mail confirmado.", email: link.email };
}

type OfPerson = { userId: string; secret: string };

/** The same for the person of a session, who need not type the password again. Throws `link_expired`. */
export const confirmOwnAddress = ({ userId, secret }: OfPerson): Promise<{ message: string }> =>
  forAccount([], async (tx) => {
    const link = await findLink(tx, secret, ["confirm_address"]);
    const own = { id: userId, email: link.email };
    if ((await tx.user.count({ where: own })) === 0) throw new AppError("link_expired");
    await useUp(tx, link);
    await tx.user.updateMany({ where: { ...own, emailConfirmedAt: null }, data: { emailConfirmedAt: realNow() } });
    return { message: "E-mail confirmado." };
  });

/** Whether a link confirms the address of this e-mail's person. */
export async function confirmsAddressOf(email: string, secret: string): Promise<boolean> {
  const link = await forAccount([], (tx) => findLink(tx, secret, ["confirm_address"])).catch(() => null);
  return link?.email === email;
}

async function passwordHashOf(link: MailLink): Promise<string> {
  if (link.kind === "sign_up" && link.passwordHash) return link.passwordHash;
  const user = await forAccount([], (tx) => tx.user.findUnique({ where: { email: link.email } }));
  if (!user) throw new AppError("link_expired");
  return user.passwordHash;
}

async function openAccount(link: MailLink) {
  const { company, document, name, email, passwordHash, locale } = link;
  if (!company || !document || !name || !passwordHash) throw new AppError("link_expired");
  const person = { name, email, passwordHash, locale: asLocale(locale) };
  await createConfirmed({ company, document, person }, (tx) => useUp(tx, link));
}

const noteProof = (link: MailLink) =>
  forAccount([], async (tx) => {
    await useUp(tx, link);
    const where = { email: link.email, emailConfirmedAt: null };
    await tx.user.updateMany({ where, data: { emailConfirmedAt: realNow() } });
  });
