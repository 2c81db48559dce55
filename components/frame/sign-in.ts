import { TIME_LIMIT_MS } from "@/components/api";
import { isConsole } from "@/components/realm";
import type { ErrorCode } from "@/lib/errors";

/** Why a sign-in failed, by the names of the catalogue's `signIn.faults`. */
export type SignInFault = "wrong" | "tooMany" | "codeNeeded" | "codeWrong" | "failed";

/** The faults by next-auth's error, which is one of its own or the code of ours. */
const faults: Readonly<Record<string, SignInFault>> = {
  CredentialsSignin: "wrong",
  rate_limit_exceeded: "tooMany",
  second_factor_required: "codeNeeded",
  second_factor_wrong: "codeWrong",
} satisfies Partial<Record<ErrorCode | "CredentialsSignin", SignInFault>>;

/** Whether a sign-in failed for want of the right code of the second factor; e-mail and password were right. */
export const isCodeFault = (fault: string | null) => fault === "codeNeeded" || fault === "codeWrong";

/** How the input of a code of the second factor, or of a recovery code, is. */
export const codeInput = { name: "code", autoComplete: "one-time-code", inputMode: "numeric", maxLength: 40 } as const;

type Given = { email: string; password: string; code?: string };

/**
 * Opens a session by e-mail, password and, where the person has a second factor, its code or a recovery code; or returns why it failed. The calls go to next-auth's routes directly,
 * because its own client leaves the page when no answer comes, and what was typed would be lost.
 */
export async function signIn({ code = "", ...given }: Given): Promise<SignInFault | null> {
  const answer = await post("callback/credentials", { ...given, code }).catch(() => null);
  if (answer?.ok) return null;
  const { url = "" }: { url?: string } = (await answer?.json().catch(() => ({}))) ?? {};
  const error = URL.canParse(url) ? new URL(url).searchParams.get("error") : null;
  return faults[error ?? ""] ?? "failed";
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
