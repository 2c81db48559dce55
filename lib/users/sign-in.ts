import { hash, verify } from "@node-rs/argon2";
import { readContext } from "@/lib/accounts/read";
import { hideCardNumbers } from "@/lib/cards/screen";
import { prisma } from "@/lib/db";
import { limitKey } from "@/lib/http/client-address";
import { takeSlot } from "@/lib/http/rate-limit";
import { newId } from "@/lib/ids";

/** Absolute life of a session (domain.md section 7); the idle limit of 30 min is checked at each request. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

type Try = { email: string; password: string; ip: string; userAgent: string };

let nobody: Promise<string> | undefined;

/**
 * Opens a session for the right e-mail and password, or null. Takes as long for an unknown e-mail as for a wrong
 * password. It looks at the sandbox until the live account is approved. Throws `rate_limit_exceeded`.
 */
export async function signIn({ email, password, ip, userAgent }: Try) {
  const address = limitKey(ip);
  await takeSlot("sign-in-address", address);
  await takeSlot("sign-in", `${address} ${email.toLowerCase()}`);
  const user = await prisma().user.findUnique({
    where: { email: email.toLowerCase() },
    include: { memberships: { take: 1 } },
  });
  const isKnownHere = await prisma().session.count({ where: { userId: user?.id ?? newId(), ip } });
  if (!isKnownHere) await takeSlot("sign-in-email", email.toLowerCase());
  nobody ??= hash(newId());
  const right = await verify(user?.passwordHash ?? (await nobody), password);
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

const inTwelveHours = () => new Date(Date.now() + SESSION_LIFETIME_MS);
