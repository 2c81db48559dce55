"use client";
import Link from "next/link";
import type { ComponentProps } from "react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import { toast } from "@/components/ui/toast";

/** The address of a page of the account that this page shows. */
export function useAccountPath() {
  const { account } = useSession();
  return (path: AccountPath) => `/${account.id}${path}`;
}

export type AccountLinkProps = Omit<ComponentProps<typeof Link>, "href"> & { href: AccountPath };

/** A link that stays in the account that this page shows. Offline it shows a notice instead of leaving the page. */
export function AccountLink({ href, ...props }: AccountLinkProps) {
  const t = useTranslations("errors.unanswered");
  return (
    <Link
      {...props}
      href={useAccountPath()(href)}
      onNavigate={(event) => {
        if (navigator.onLine) return;
        event.preventDefault();
        toast(t("no_answer"), "bad");
      }}
    />
  );
}
