import { setTimeout as pause } from "node:timers/promises";
import { readContext } from "@/lib/accounts/read";
import { actAs } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import type { Realm } from "@/lib/auth/session-cookie";
import { prisma, transactionFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { limitKey } from "@/lib/net/address";
import { hideCardNumbers } from "@/lib/pan/detect";
import { countSlots, spendSlot } from "@/lib/rate-limits/spend-slot";
import { realNow } from "@/lib/time/clock";
import { emailSought } from "@/lib/typed/emails";
import { isKnownNetwork, noteDevice } from "@/lib/users/known-devices";
import { mailSecurity } from "@/lib/users/mail-security";
import { hashPassword, isPassword } from "@/lib/users/password";
import { proveSecondFactor } from "@/lib/users/second-factor";
import type { Locale } from "@/messages";
import type { User } from "@/prisma/client/client";

/** The longest life of a session: 12 h. The idle limit of 30 min is checked at each request. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * The delays of a person's first, second, … attempt within a minute from one address, right or wrong; the last repeats.
 */
export const slowness = { heldMs: [0, 0, 0, 500, 1_000, 2_000, 3_000, 5_000] };

/** `realm` is whose sign-in it is, `locale` is the language of the page, which is kept for mails; null where the visitor chose none. `code` is of the second factor. */
type Try = {
  realm?: Realm;
  email: string;
  password: string;
  code?: string;
  ip: string;
  userAgent: string;
  locale?: Locale | null;
};

let nobody: Promise<string> | undefined;

/**
 * Opens a session for the right e-mail and password, or returns null. A person of the staff is unknown at the sellers' sign-in,
 * and a seller's at the staff's. It lasts as long for an unknown e-mail as for a wrong password, and longer with each attempt of a minute. The session begins at the sandbox until the live account is
 * approved. A device that was never seen is mailed to the person.
 * Throws `rate_limit_exceeded`, `unavailable` when too many sign in at once and, after the right password,
 * `second_factor_required` without a code and `second_factor_wrong` with a wrong one.
 */
export async function signIn({ realm = "seller", email: typed, password, code, ip, userAgent, locale = null }: Try) {
  const address = limitKey(ip);
  await spendSlot("sign-in-address", address);
  const email = emailSought(typed);
  const person = `${address} ${email}`;
  await spendSlot("sign-in", person);
  await pause(heldMs(await countSlots("sign-in", person)), undefined, { ref: false }); // it holds no database connection meanwhile
  const known = await prisma().user.findUnique({
    where: { email },
    include: { memberships: { take: 1 } },
  });
  const user = known && realmOfPerson(known) === realm ? known : null;
  if (!(await isKnownNetwork(user?.id ?? newId(), ip))) await spendSlot("sign-in-email", email);
  nobody ??= hashPassword(newId()).catch((error) => {
    nobody = undefined;
    throw error;
  });
  const right = await isPassword(user?.passwordHash ?? (await nobody), password);
  if (!user || !right) return null;
  if (user.totpSince && !code) throw new AppError("second_factor_required");
  if (user.totpSince && !(await proveSecondFactor({ userId: user.id, ip, code: code ?? "" }))) {
    throw new AppError("second_factor_wrong");
  }
  const seller = user.memberships[0];
  const live = seller && (await readContext(seller.accountId));
  const accountId = live?.status === "approved" ? live.id : (seller?.sandboxId ?? null);
  const sessionId = newId();
  const shown = hideCardNumbers(userAgent);
  const values = [
    sessionId,
    user.id,
    user.passwordHash,
    accountId,
    ip,
    shown,
    inTwelveHours(),
    locale,
    !!user.totpSince,
  ];
  const historyId = seller?.accountId ?? PLATFORM;
  const isOpen = await transactionFor(historyId, async (query) => {
    const [opened] = await query("open_session", OPEN, values);
    if (!opened) return false;
    const isNewDevice = await noteDevice(query, { userId: user.id, ip, userAgent: shown });
    if (isNewDevice) await mailSecurity(query, user, "new_device", ip);
    const session = { accountId: historyId, subject: "session", id: sessionId } as const;
    const record = () => recordChange(query, { ...session, verb: "created", after: { user_agent: shown } });
    await actAs({ kind: user.staffRoles.length > 0 ? "staff" : "person", id: user.id, session: sessionId, ip }, record);
    return true;
  });
  if (!isOpen) return null;
  return { userId: user.id, sessionId, name: user.name, email: user.email };
}

/**
 * Opens a session, if the password is still the one that was compared and the second factor is asked for as before: either
 * change ends every session, and one that was under way must not begin after it.
 */
const OPEN = `with person as (
    select id from users where id = $2::uuid and password_hash = $3 and (totp_since is not null) = $9::boolean for share
  ), spoken as (
    update users u set locale = $8::text from person p where u.id = p.id and u.locale <> $8::text
  )
  insert into sessions (id, user_id, account_id, ip, user_agent, expires_at, stepped_up_at, second_factor_at)
  select $1::uuid, id, $4::uuid, $5, $6, $7::timestamptz, now(), case when $9::boolean then now() end from person
  returning id`;

const realmOfPerson = ({ staffRoles }: User): Realm => (staffRoles.length > 0 ? "staff" : "seller");

const heldMs = (nth: number) => slowness.heldMs[Math.max(nth, 1) - 1] ?? slowness.heldMs.at(-1);

const inTwelveHours = () => new Date(realNow().getTime() + SESSION_LIFETIME_MS);
