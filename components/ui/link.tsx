"use client";
import { useSession } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import { PageLink, type PageLinkProps } from "@/components/ui/page-link";

/** The address of a page of the account that this page shows. */
export function useAccountPath() {
  const { account } = useSession();
  return (path: AccountPath) => `/${account.id}${path}`;
}

export type AccountLinkProps = Omit<PageLinkProps, "href"> & { href: AccountPath };

/** A link that stays in the account that this page shows. */
export function AccountLink({ href, ...props }: AccountLinkProps) {
  return <PageLink {...props} href={useAccountPath()(href)} />;
}
