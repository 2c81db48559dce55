import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { roles, type Scope } from "@/lib/auth/scopes";
import { sessionCookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { statement } from "@/lib/db";
import { touchSession } from "@/lib/http/authenticate";
import type { Role } from "@/prisma/client/enums";

export type Person = { id: string; name: string; email: string };
export type PageSession = {
  account: AccountContext;
  user: Person;
  role: Role;
  scopes: readonly Scope[];
};

type Row = ContextRow & { user_id: string; user_name: string; user_email: string; role: Role; stale: boolean };

const SESSION = `select u.id as user_id, u.name as user_name, u.email as user_email, m.role, ${contextColumns},
    s.last_seen_at < now() - interval '1 minute' as stale
  from sessions s cross join lateral account_in_scope(s.account_id) a
  join users u on u.id = s.user_id
  join memberships m on m.user_id = s.user_id and a.id in (m.account_id, m.sandbox_id)
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes'`;

/** Who looks at a page, or null. Asked once per render, however many components want to know. */
export const readPageSession = cache(async (): Promise<PageSession | null> => {
  const sessionId = await sessionIdOf((await cookies()).get(sessionCookieName())?.value);
  if (!sessionId) return null;
  const [row] = await statement<Row>("page_session", SESSION, [sessionId]);
  if (!row) return null;
  if (row.stale) await touchSession(sessionId);
  const user = { id: row.user_id, name: row.user_name, email: row.user_email };
  return { account: toContext(row), user, role: row.role, scopes: roles[row.role] };
});

/**
 * The account that this page is about. Without a session the visitor is sent to sign in; a person whose role lacks
 * `scope` finds no page here, as the menu shows none.
 */
export async function requireAccount(scope?: Scope): Promise<PageSession> {
  const session = await readPageSession();
  if (!session) redirect((await readStaff()) ? "/operator/accounts" : await signInPath());
  if (scope && !session.scopes.includes(scope)) notFound();
  return session;
}

/** Sign-in, which afterwards leads back to the page asked for, where the host told which one that was. */
async function signInPath(): Promise<string> {
  const asked = new URL((await headers()).get("x-path") ?? "/home", "http://host");
  asked.searchParams.delete("_rsc"); // Next's own mark on requests for data of a page
  const path = asked.pathname + asked.search;
  return path !== "/home" ? `/sign-in?next=${encodeURIComponent(path)}` : "/sign-in";
}

const STAFF = `select u.id, u.name, u.email from sessions s join users u on u.id = s.user_id and u.operator
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '30 minutes'`;

/** Who of the operator's staff looks at a page, or null. */
export const readStaff = cache(async (): Promise<Person | null> => {
  const sessionId = await sessionIdOf((await cookies()).get(sessionCookieName())?.value);
  if (!sessionId) return null;
  const [person] = await statement<Person>("page_staff", STAFF, [sessionId]);
  if (!person) return null;
  await touchSession(sessionId);
  return person;
});

/** The person of the staff who looks at a page of the console; for everybody else there is no such page. */
export async function requireStaff(): Promise<Person> {
  const person = await readStaff();
  if (person) return person;
  if (await readPageSession()) notFound();
  return redirect(await signInPath());
}
