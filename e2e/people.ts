import { TOTP } from "otpauth";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { hashPassword } from "@/lib/users/password";
import { beginSecondFactor } from "@/lib/users/second-factor";
import type { Prisma } from "@/prisma/client/client";
import type { Role } from "@/prisma/client/enums";
import type { Seller } from "./fixtures";

export const PASSWORD = "chuva miúda no telhado";

/** The membership of the person who made the seller. */
export const ownerOf = ({ accountId }: Seller) =>
  prisma().membership.findFirstOrThrow({ where: { sandboxId: accountId, role: "owner" } });

/** A person with a sign-in, in no team. */
export async function makePerson(name: string) {
  const id = newId();
  const passwordHash = await hashPassword(PASSWORD);
  const email = `${id}@example.com`;
  await prisma().user.create({ data: { id, name, email, passwordHash, emailConfirmedAt: new Date() } });
  return { id, email };
}

/** A person of a seller's team. */
export async function makeMember(seller: Seller, name: string, role: Role) {
  const { accountId, sandboxId } = await ownerOf(seller);
  const person = await makePerson(name);
  await prisma().membership.create({ data: { userId: person.id, accountId, sandboxId, role } });
  return person;
}

/** Gives a person a second factor. Returns its secret. */
export async function giveSecondFactor(userId: string): Promise<string> {
  const { secret } = await beginSecondFactor({ userId });
  await prisma().user.update({ where: { id: userId }, data: { totpSince: new Date() } });
  const hashes = Array.from({ length: 8 }, () => crypto.getRandomValues(new Uint8Array(32)));
  await prisma().recoveryCode.createMany({ data: hashes.map((hash) => ({ userId, hash })) });
  return secret;
}

/** The code that an authenticator app shows for a secret, `steps` of 30 s from now. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** An invitation to a seller's team, with a link that nobody has. */
export async function makeInvitation(seller: Seller, email: string, role: Role, overrides: object = {}) {
  const { accountId, userId: invitedBy } = await ownerOf(seller);
  const expiresAt = new Date(Date.now() + 7 * 86_400_000);
  const linkHash = crypto.getRandomValues(new Uint8Array(32));
  const data = { id: newId(), accountId, email, role, linkHash, invitedBy, expiresAt, ...overrides };
  await prisma().teamInvitation.create({ data });
}

/** Something that waits for a second person of a seller, or was decided. */
export const makeApproval = (
  { accountId }: Seller,
  data: Pick<Prisma.ApprovalUncheckedCreateInput, "kind" | "subjectId" | "asked" | "askedBy"> &
    Partial<Prisma.ApprovalUncheckedCreateInput>,
) => {
  const lapsesAt = new Date(Date.now() + 20 * 3_600_000);
  return forAccount(accountId, (tx) => tx.approval.create({ data: { id: newId(), accountId, lapsesAt, ...data } }));
};

/** Above this amount in cents a refund of this seller needs a second person. */
export const limitRefunds = ({ accountId: id }: Seller, approvalAbove: number) =>
  asSystem((tx) => tx.account.update({ where: { id }, data: { approvalAbove } }));
