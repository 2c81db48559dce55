import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma, runPrepared, type Tx } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { newSecret, sha256 } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import { historyAccountOf } from "@/lib/users/history";
import { isKnownNetwork } from "@/lib/users/known-devices";
import { mailSecurity } from "@/lib/users/mail-security";
import { newTotpSecret, stepOfCode, totpContext, totpUri } from "@/lib/users/totp";
import { decrypt, encrypt } from "@/lib/vault/vault";
import type { User } from "@/prisma/client/client";

const RECOVERY_CODES = 10;

type OfSession = { userId: string; sessionId: string };

/**
 * Draws the secret of a second factor, which counts once a first code of it was right. Another one that was drawn before and
 * never confirmed is forgotten. Throws `second_factor_exists`.
 */
export async function beginSecondFactor({ userId }: { userId: string }) {
  const secret = newTotpSecret();
  const sealed = new Uint8Array(encrypt(secret, totpContext(userId)));
  const where = { id: userId, totpSince: null };
  const [user] = await prisma().user.updateManyAndReturn({ where, data: { sealedTotp: sealed, totpStep: null } });
  if (!user) throw new AppError("second_factor_exists");
  return { secret, uri: totpUri(secret, user.email) };
}

/**
 * Makes the second factor count, by a first code of it, also for this session. Every other session ends, because it was opened
 * without. Returns the recovery codes, which are never shown again.
 * Throws 422 at `code`, `rate_limit_exceeded`, `second_factor_exists`.
 */
export async function confirmSecondFactor({ userId, sessionId, code }: OfSession & { code: string }) {
  await spendSlot("second-factor", `${userId} first`);
  const accountId = await historyAccountOf({ id: userId });
  return forAccount(accountId, async (tx) => {
    const step = await stepOf(tx, userId, code);
    if (step === null) throw wrongCode();
    const now = realNow();
    const where = { id: userId, totpSince: null, sealedTotp: { not: null } };
    const data = { totpSince: now, totpStep: step, secondFactorChangedAt: now };
    const [user] = await tx.user.updateManyAndReturn({ where, data });
    if (!user) throw new AppError("second_factor_exists");
    await tx.session.updateMany({ where: { id: sessionId }, data: { secondFactorAt: now, steppedUpAt: now } });
    await tx.session.updateMany({
      where: { userId, id: { not: sessionId }, revokedAt: null },
      data: { revokedAt: now },
    });
    const after = { second_factor: true, sessions: "ended" };
    await recordChange(tx, { accountId, subject: "user", id: userId, verb: "updated", before: BEFORE, after });
    await mailSecurity(tx, user, "second_factor_on");
    return { recovery_codes: await drawRecoveryCodes(tx, userId) };
  });
}

const BEFORE = { second_factor: false };

/** Removes a person's second factor and its recovery codes. Nothing happens where there is none. */
export async function removeSecondFactor({ userId }: { userId: string }): Promise<{ message: string }> {
  const accountId = await historyAccountOf({ id: userId });
  return forAccount(accountId, async (tx) => {
    await removeFactor(tx, { userId, accountId });
    await tx.session.updateMany({ where: { userId }, data: { secondFactorAt: null } });
    return { message: "Segundo fator removido." };
  });
}

type OfHistory = { userId: string; accountId: string };

async function removeFactor(tx: Tx, { userId, accountId }: OfHistory): Promise<User> {
  const user = await forgetSecondFactor(tx, userId);
  if (!user) throw new AppError("second_factor_missing");
  const { email } = user;
  const change = { before: { email, second_factor: true }, after: { email, second_factor: false } };
  await recordChange(tx, { accountId, subject: "user", id: userId, verb: "updated", ...change });
  await mailSecurity(tx, user, "second_factor_off");
  return user;
}

/** Forgets a person's second factor and its recovery codes. Returns the person, if there was one. */
export async function forgetSecondFactor(tx: Tx, userId: string): Promise<User | undefined> {
  const where = { id: userId, totpSince: { not: null } };
  const data = { sealedTotp: null, totpSince: null, totpStep: null, secondFactorChangedAt: realNow() };
  const [user] = await tx.user.updateManyAndReturn({ where, data });
  await tx.recoveryCode.deleteMany({ where: { userId } });
  return user;
}

/**
 * Removes the second factor that a person has lost, in the transaction of whoever may: each of their sessions ends, and the
 * change is in the history of `accountId`. Returns the person. Throws `second_factor_missing`.
 */
export async function resetFactor(tx: Tx, of: OfHistory): Promise<User> {
  const user = await removeFactor(tx, of);
  await tx.session.updateMany({ where: { userId: of.userId, revokedAt: null }, data: { revokedAt: realNow() } });
  return user;
}

/** Draws new recovery codes in place of all others. Throws `second_factor_missing`. */
export async function renewRecoveryCodes({ userId }: { userId: string }) {
  const accountId = await historyAccountOf({ id: userId });
  return forAccount(accountId, async (tx) => {
    const user = await tx.user.findFirst({ where: { id: userId, totpSince: { not: null } } });
    if (!user) throw new AppError("second_factor_missing");
    const change = { before: {}, after: { recovery_codes: "renewed" } };
    await recordChange(tx, { accountId, subject: "user", id: userId, verb: "updated", ...change });
    await mailSecurity(tx, user, "recovery_codes_renewed");
    return { recovery_codes: await drawRecoveryCodes(tx, userId) };
  });
}

async function drawRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, hash: hashOf(code) })) });
  return codes;
}

/** 80 random bits in four groups of letters and digits that are not mistaken for one another. */
const newRecoveryCode = () =>
  [...Buffer.from(newSecret(), "base64url").subarray(0, 16)]
    .map((byte) => LETTERS[byte % 32])
    .join("")
    .replace(/(.{4})(?=.)/g, "$1-");
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

const hashOf = (code: string) => new Uint8Array(sha256(code.replace(/[\s-]/g, "").toUpperCase()));

/**
 * Whether this is a code of the person's second factor, which counts once: of two at once the first. `ip` is from where it is
 * tried; whoever tries from a network that they never signed in from cannot use up the attempts of the person, nor those of
 * recovery codes, which nobody guesses. Throws `rate_limit_exceeded`.
 */
export async function proveSecondFactor({ userId, ip, code }: { userId: string; ip: string; code: string }) {
  const typed = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(typed)) {
    await spendSlot("second-factor", `${userId} ${limitKey(ip)} recovery`);
    return spendRecoveryCode(userId, typed);
  }
  const isKnown = await isKnownNetwork(userId, ip);
  await spendSlot("second-factor", isKnown ? `${userId} ${limitKey(ip)}` : userId);
  await countGuess(userId, isKnown);
  const step = await stepOf(prisma(), userId, typed);
  if (step === null) return false;
  const where = { id: userId, totpSince: { not: null }, OR: [{ totpStep: null }, { totpStep: { lt: step } }] };
  const notWrong = { [isKnown ? "wrongCodesKnown" : "wrongCodes"]: { decrement: 1 } };
  return (await prisma().user.updateMany({ where, data: { totpStep: step, ...notWrong } })).count > 0;
}

/** How many wrong codes of a person count in a day: from the networks that they signed in from, and from all others. */
const MAX_WRONG_A_DAY = 50;

/**
 * Counts a code as wrong until it proves right. Who reaches the day's number knows the password, so the person is told by mail.
 * Throws `rate_limit_exceeded`.
 */
async function countGuess(userId: string, isKnown: boolean): Promise<void> {
  const values = [userId, isKnown, MAX_WRONG_A_DAY];
  const [row] = await runPrepared<{ counted: number | null; rest: number }>("count_guess", COUNT_GUESS, values);
  if (!row || row.counted === null) throw new AppError("rate_limit_exceeded", { retryAfterMs: row?.rest ?? DAY_MS });
  if (row.counted < MAX_WRONG_A_DAY) return;
  await forAccount([], async (tx) =>
    mailSecurity(tx, await tx.user.findUniqueOrThrow({ where: { id: userId } }), "codes_guessed"),
  );
}

const COUNT_GUESS = `with counted as (
    update users set wrong_codes_on = current_date,
      wrong_codes = case when wrong_codes_on = current_date then wrong_codes else 0 end + (not $2::boolean)::int,
      wrong_codes_known = case when wrong_codes_on = current_date then wrong_codes_known else 0 end + $2::boolean::int
    where id = $1::uuid and (wrong_codes_on is distinct from current_date
      or case when $2::boolean then wrong_codes_known else wrong_codes end < $3::int)
    returning case when $2::boolean then wrong_codes_known else wrong_codes end as number
  )
  select (select number from counted) as counted,
    (extract(epoch from current_date + interval '1 day' - now()) * 1000)::int as rest`;

async function spendRecoveryCode(userId: string, code: string): Promise<boolean> {
  const accountId = await historyAccountOf({ id: userId });
  return forAccount(accountId, async (tx) => {
    const where = { userId, hash: hashOf(code), usedAt: null };
    if ((await tx.recoveryCode.updateMany({ where, data: { usedAt: realNow() } })).count === 0) return false;
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    await mailSecurity(tx, user, "recovery_code_used");
    return true;
  });
}

async function stepOf(tx: Pick<Tx, "user">, userId: string, code: string): Promise<bigint | null> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { sealedTotp: true } });
  return user?.sealedTotp ? stepOfCode(decrypt(user.sealedTotp, totpContext(userId)).toString(), code) : null;
}

const wrongCode = () => invalid({ code: ["O código não confere. Digite o que o aplicativo mostra agora."] });
