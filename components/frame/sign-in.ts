import { TIME_LIMIT_MS } from "@/components/api";
import { isConsole } from "@/components/realm";

/** Why a sign-in failed, by the names of the catalogue's `signIn.faults`. */
export type SignInFault = "wrong" | "tooMany" | "failed";

/**
 * Opens a session by e-mail and password, or returns why it failed. The calls go to next-auth's routes directly,
 * because its own client leaves the page when no answer comes, and what was typed would be lost.
 */
export async function signIn(email: string, password: string): Promise<SignInFault | null> {
  const answer = await post("callback/credentials", { email, password }).catch(() => null);
  if (answer?.ok) return null;
  const { url = "" }: { url?: string } = (await answer?.json().catch(() => ({}))) ?? {};
  const error = URL.canParse(url) ? new URL(url).searchParams.get("error") : null;
  return error === "CredentialsSignin" ? "wrong" : error === "rate_limit_exceeded" ? "tooMany" : "failed";
}

/** The page of sign-in to which this page belongs. */
export const signInPage = () => (isConsole() ? "/operator/sign-in" : "/sign-in");

/** Ends the session. Throws when no answer says that it has ended. */
export async function signOut(): Promise<void> {
  const answer = await post("signout", {});
  if (!answer.ok) throw new Error("the session may not have ended");
}

async function post(route: string, form: Record<string, string>): Promise<Response> {
  const base = isConsole() ? "/api/operator-auth" : "/api/auth";
  const { csrfToken } = await (await fetch(`${base}/csrf`, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })).json();
  const body = new URLSearchParams({ ...form, csrfToken, json: "true", callbackUrl: window.location.origin });
  return fetch(`${base}/${route}`, { method: "POST", body, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
}
