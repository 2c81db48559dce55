import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import type { TeamKind } from "@/lib/approvals/schema";
import { IS_STALE, LIVES, touchSession } from "@/lib/auth/live-session";
import { roles, type Scope, type StaffScope, staffScopesOf } from "@/lib/auth/scopes";
import { type Realm, sessionCookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { signInPath, withoutMark } from "@/lib/auth/sign-in-path";
import { runPrepared } from "@/lib/db";
import { isId } from "@/lib/ids";
import type { Feature, Mode, Role, StaffRole } from "@/prisma/client/enums";

export type Person = { id: string; name: string; email: string };
export type PageSession = {
  account: AccountContext;
  /** The ids of the account in both modes. */
  modes: Record<Mode, string>;
  user: Person & { isConfirmed: boolean };
  role: Role;
  scopes: readonly Scope[];
  /** What others asked for in this account that waits for a second person. */
  waiting: readonly TeamKind[];
  /** How many withdrawals wait for a second person, beside those that this person asked for. */
  waitingWithdrawals: number;
};

/** The parameters that every page of the dashboard has in its address. */
export type InAccount = { params: Promise<{ account: string }> };

type Row = ContextRow & {
  user_id: string;
  user_name: string;
  user_email: string;
  is_confirmed: boolean;
  role: Role;
  live_id: string;
  sandbox_id: string;
  waiting: TeamKind[];
  waiting_withdrawals: number;
  stale: boolean;
  moved: boolean;
};

const SESSION = `select u.id as user_id, u.name as user_name, u.email as user_email, m.role,
    u.email_confirmed_at is not null as is_confirmed,
    m.account_id as live_id, m.sandbox_id, ${contextColumns},
    array(select p.kind::text from approvals p where p.account_id = a.id and p.status = 'pending'
      and p.lapses_at > now() and p.asked_by <> u.id and p.kind <> 'second_factor_reset') as waiting,
    (select count(*)::int from withdrawals w where w.account_id = a.id and w.status = 'awaiting_approval'
      and w.asked_by <> u.id) as waiting_withdrawals,
    ${IS_STALE} as stale, s.account_id is distinct from $2 as moved
  from sessions s join users u on u.id = s.user_id
  join memberships m on m.user_id = s.user_id and $2 in (m.account_id, m.sandbox_id)
  cross join lateral account_in_scope(case $2 when m.account_id then m.account_id else m.sandbox_id end) a
  where s.id = $1 and ${LIVES}`;

/** The session that looks at this account's page, or null. It is read once per render. */
export const readPageSession = cache(async (accountId: string): Promise<PageSession | null> => {
  const sessionId = await readSessionCookie("seller");
  if (!sessionId || !isId(accountId)) return null;
  const [row] = await runPrepared<Row>("page_session", SESSION, [sessionId, accountId]);
  if (!row) return null;
  // Only an opened page moves the account last looked at; a page that the browser fetches ahead does not.
  const isOpened = (await headers()).get("sec-fetch-dest") !== "empty";
  if (row.stale || (row.moved && isOpened)) await touchSession(sessionId, isOpened ? row.account_id : undefined);
  return {
    account: toContext(row),
    modes: { live: row.live_id, sandbox: row.sandbox_id },
    user: { id: row.user_id, name: row.user_name, email: row.user_email, isConfirmed: row.is_confirmed },
    role: row.role,
    scopes: roles[row.role],
    waiting: row.waiting,
    waitingWithdrawals: row.waiting_withdrawals,
  };
});

const LAST_ACCOUNT = `select case s.account_id when m.account_id then m.account_id else m.sandbox_id end as id
  from sessions s join memberships m on m.user_id = s.user_id
  where s.id = $1 and ${LIVES}
  order by s.account_id in (m.account_id, m.sandbox_id) desc nulls last, m.account_id limit 1`;

/**
 * The account that the visitor last looked at, or null when nobody with an account is signed in. It only decides where
 * an address without an account leads: pages and calls name their account themselves.
 */
export const readLastAccount = cache(async (): Promise<string | null> => {
  const sessionId = await readSessionCookie("seller");
  if (!sessionId) return null;
  const [row] = await runPrepared<{ id: string }>("last_account", LAST_ACCOUNT, [sessionId]);
  return row?.id ?? null;
});

/**
 * The account that the page's address names. A visitor without a session is sent to sign in, and whoever follows an address of a
 * sandbox that was reset to the same page of the present one. For an account of others the page is not found, as for one that does not exist; so it is for a role without `scope` and an
 * account without `feature`, to which no menu shows it.
 */
export async function requireAccount(
  params: InAccount["params"],
  scope?: Scope,
  feature?: Feature,
): Promise<PageSession> {
  const { account } = await params;
  const session = await readPageSession(account);
  if (!session && !(await readLastAccount())) redirect(await withoutAccount());
  const present = session ? null : await readPresent(account);
  if (present) redirect((await askedPath()).replace(account, present));
  if (!session || (scope && !session.scopes.includes(scope))) notFound();
  if (feature && !session.account.features.includes(feature)) notFound();
  return session;
}

const PRESENT = `select m.sandbox_id as id from account_in_scope($2) a
  join memberships m on m.account_id = a.former_twin_id join sessions s on s.user_id = m.user_id
  where s.id = $1 and ${LIVES}`;

/** The sandbox that took the place of a former one of the visitor's; null for any other account. */
async function readPresent(accountId: string): Promise<string | null> {
  const sessionId = await readSessionCookie("seller");
  if (!sessionId || !isId(accountId)) return null;
  const [row] = await runPrepared<{ id: string }>("present_sandbox", PRESENT, [sessionId, accountId]);
  return row?.id ?? null;
}

/** Leads from an address without an account to the same page of the account last looked at. */
export async function leaveForLastAccount(): Promise<never> {
  const account = await readLastAccount();
  redirect(account ? `/${account}${await askedPath()}` : await withoutAccount());
}

const readSessionCookie = async (realm: Realm) => sessionIdOf((await cookies()).get(sessionCookieName(realm))?.value);

/** Path and query of the requested page, from the host's header. */
const askedPath = async () => withoutMark((await headers()).get("x-path") ?? "/home");

/** Where a visitor without an account is sent. */
export const withoutAccount = async () => ((await readPerson()) ? ACCOUNTS : signInPath(await askedPath()));

/** The first page of the operator's console. */
export const CONSOLE = "/operator/accounts";
/** Where a person who is signed in chooses an account, or reads that there is none. */
export const ACCOUNTS = "/accounts";

const PERSON = `select u.id, u.name, u.email, u.staff_roles::text[] as staff_roles,
    s.second_factor_at is not null as has_second_factor, ${IS_STALE} as stale
  from sessions s join users u on u.id = s.user_id
  where s.id = $1 and ${LIVES}`;

type PersonRow = Person & { staff_roles: StaffRole[]; has_second_factor: boolean; stale: boolean };
/** A person of the operator's staff. Without the second factor they see only the page that sets it up. */
export type StaffPerson = Person & { scopes: readonly StaffScope[]; hasSecondFactor: boolean };
/** Whoever is signed in, of a seller or of the staff, with or without an account. */
type SignedInPerson = StaffPerson & { isStaff: boolean };

/** The person who is signed in at this realm's own page, or null. */
const readPersonIn = cache(async (realm: Realm): Promise<SignedInPerson | null> => {
  const sessionId = await readSessionCookie(realm);
  if (!sessionId) return null;
  const [row] = await runPrepared<PersonRow>("page_person", PERSON, [sessionId]);
  if (!row) return null;
  if (row.stale) await touchSession(sessionId);
  const { id, name, email, staff_roles, has_second_factor: hasSecondFactor } = row;
  return { id, name, email, isStaff: staff_roles.length > 0, scopes: staffScopesOf(staff_roles), hasSecondFactor };
});

/** The person of a seller who is signed in, or null. */
export async function readPerson(): Promise<SignedInPerson | null> {
  const person = await readPersonIn("seller");
  return person?.isStaff ? null : person;
}

/** The person who is signed in, of a page that needs no account. A visitor is sent to sign in. */
export async function requirePerson(): Promise<SignedInPerson> {
  return (await readPerson()) ?? redirect(signInPath(await askedPath()));
}

/** The person of the operator's staff who looks at a page, or null. */
export async function readStaff(): Promise<StaffPerson | null> {
  const person = await readPersonIn("staff");
  return person?.isStaff ? person : null;
}

/** Where a person of the staff sets up the second factor. */
const STAFF_SECURITY = "/operator/security";

/**
 * The person of the staff who looks at a page of the console, who is sent to set up the second factor first. Everybody
 * else is sent to the console's own sign-in.
 */
export async function requireStaff({ withoutSecondFactor = false } = {}): Promise<StaffPerson> {
  const person = await readStaff();
  if (person && !person.hasSecondFactor && !withoutSecondFactor) redirect(STAFF_SECURITY);
  if (person) return person;
  return redirect(signInPath(await askedPath()));
}
