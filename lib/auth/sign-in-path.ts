import { type Realm, realmOf } from "@/lib/auth/session-cookie";

/** The sign-in page of each realm. */
export const signInPages = { seller: "/sign-in", staff: "/operator/sign-in" } as const satisfies Record<Realm, string>;

/** Where sign-in leads by itself. */
const FIRST: ReadonlySet<string> = new Set(["/", "/home", "/operator", "/operator/accounts"]);

/** The path of sign-in, which afterwards leads back to `url`, the path and query of the requested page. */
export function signInPath(url: string): string {
  const path = withoutMark(url);
  const signIn = signInPages[realmOf(path)];
  return FIRST.has(path) ? signIn : `${signIn}?next=${encodeURIComponent(path)}`;
}

/** A page's path and query without Next's own mark on requests for a page's data. */
export function withoutMark(url: string): string {
  const asked = new URL(url, "http://host");
  asked.searchParams.delete("_rsc");
  return asked.pathname + asked.search;
}
