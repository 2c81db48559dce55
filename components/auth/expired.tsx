"use client";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { EntryHead, EntryLink } from "@/components/auth/entry";

/** Whether a form failed because its link does not open any more. */
export const isExpired = (failure: Error | null) => isApiError(failure) && failure.code === "link_expired";

/** In place of a form whose link was used, is over or never was one. `next` is the page that sends another, if one does. */
export function Expired({ text, next }: { text: string; next?: { href: string; label: string } }) {
  const t = useTranslations("expired");
  return (
    <>
      <EntryHead title={t("title")} isNext>
        <p>{text}</p>
      </EntryHead>
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        {next && <EntryLink href={next.href}>{next.label}</EntryLink>}
        <EntryLink href="/sign-in">{t("toSignIn")}</EntryLink>
      </p>
    </>
  );
}
