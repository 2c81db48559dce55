"use client";
import Link from "next/link";
import type { ComponentProps } from "react";
import { useSession } from "@/components/frame/account";
import type { AccountPath } from "@/components/paths";

/** The address of a page of the account that this page shows. */
export function useAccountPath() {
  const { account } = useSession();
  return (path: AccountPath) => `/${account.id}${path}`;
}

export type AccountLinkProps = Omit<ComponentProps<typeof Link>, "href"> & { href: AccountPath };

/** A link that stays in the account that this page shows. */
export function AccountLink({ href, ...props }: AccountLinkProps) {
  return <Link {...props} href={useAccountPath()(href)} />;
}
