"use client";
import Link from "next/link";
import type { ComponentProps } from "react";
import { useSession } from "@/components/frame/account";

type Section = "home" | "transactions" | "charges" | "credentials" | "public-key" | "webhooks";

/** A page of the dashboard as it is called in every account: "/transactions?status=pending". */
export type AccountPath = `/${Section}` | `/${Section}/${string}` | `/${Section}?${string}`;

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
