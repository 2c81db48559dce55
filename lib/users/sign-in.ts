import { setTimeout as pause } from "node:timers/promises";
import { readContext } from "@/lib/accounts/read";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";
import { hideCardNumbers } from "@/lib/pan/detect";
import { countSlots, spendSlot } from "@/lib/rate-limit";
import { hashPassword, isPassword } from "@/lib/users/password";

/** The longest life of a session (domain.md section 7). The idle limit of 30 min is checked at each request. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * The delays of a person's first, second, … attempt within a minute from one address, right or wrong; the last repeats.
 */
export const slowness = { heldMs: [0, 0, 0, 500, 1_000, 2_000, 3_000, 5_000] };

type Try = { email: string; password: string; ip: string; userAgent: string };

let nobody: Promise<string> | undefined;

/**
 * Opens a session for the right e-mail and password, or returns null. It lasts as long for an unknown e-mail as for a
 * wrong password, and longer with each attempt of a minute. The session begins at the sandbox until the live account is
 * approved.
 * Throws `rate_limit_exceeded`, and `unavailable` when too many sign in at once.
 */
export async function signIn({ email, password, ip, userAgent }: Try) {
  const address = limitKey(ip);
  await spendSlot("sign-in-address", address);
  const person = `${address} ${email.toLowerCase()}`;
  await spendSlot("sign-in", person);
  await pause(heldMs(await countSlots("sign-in", person)), undefined, { ref: false }); // it holds no database connection meanwhile
  const user = await prisma().user.findUnique({
    where: { email: email.toLowerCase() },
    include: { memberships: { take: 1 } },
  });
  const isKnownHere = await prisma().session.count({ where: { userId: user?.id ?? newId(), ip } });
  if (!isKnownHere) await spendSlot("sign-in-email", email.toLowerCase());
  nobody ??= hashPassword(newId()).catch((error) => {
    nobody = undefined;
    throw error;
  });
  const right = await isPassword(user?.passwordHash ?? (await nobody), password);
  if (!user || !right) return null;
  const seller = user.memberships[0];
  const live = seller && (await readContext(seller.accountId));
  const accountId = live?.status === "approved" ? live.id : (seller?.sandboxId ?? null);
  const session = await prisma().session.create({
    data: {
      id: newId(),
      userId: user.id,
      accountId,
      ip,
      userAgent: hideCardNumbers(userAgent),
      expiresAt: inTwelveHours(),
    },
  });
  return { userId: user.id, sessionId: session.id, name: user.name, email: user.email };
}

const heldMs = (nth: number) => slowness.heldMs[Math.max(nth, 1) - 1] ?? slowness.heldMs.at(-1);

const inTwelveHours = () => new Date(Date.now() + SESSION_LIFETIME_MS);
