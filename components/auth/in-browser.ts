import { useSyncExternalStore } from "react";

/**
 * A value that only the browser has, such as what the address says: these pages are rendered once for everybody
 * (lib/http/page-memory.ts). `before` is what the server renders.
 */
export const useInBrowser = <T extends string | boolean | null>(read: () => T, before: T): T =>
  useSyncExternalStore(
    () => () => {},
    read,
    () => before,
  );

/** The query of the page's address. */
export const asked = () => new URLSearchParams(window.location.search);

/** The secret of the invitation by whose link the visitor came, to sign-up (`?invite=`) or to sign-in (`?next=`). */
export function invitationAsked(): string | null {
  const [, secret] = /^(?:\/[\w-]+)?\/invite\/([\w-]+)$/.exec(asked().get("next") ?? "") ?? [];
  return asked().get("invite") ?? secret ?? null;
}

/** The secret of a link: the last part of its address. */
export const secretInPath = () => window.location.pathname.split("/").filter(Boolean).at(-1) ?? "";
