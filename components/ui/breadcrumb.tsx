"use client";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import type { AccountPath } from "@/components/paths";
import { AccountLink } from "@/components/ui/link";

/** A link to the list of a detail, and the detail's own name. */
export function Breadcrumb({ href, list, here }: { href: AccountPath; list: string; here: string }) {
  const t = useTranslations("common");
  return (
    <nav aria-label={t("path")} className="mb-4 flex items-center gap-1 text-caption text-muted">
      <AccountLink href={href} className="shrink-0 underline-offset-4 hover:text-ink hover:underline">
        {list}
      </AccountLink>
      <ChevronRight aria-hidden="true" className="size-3.5 shrink-0" />
      <span aria-current="page" className="min-w-0 wrap-anywhere">
        {here}
      </span>
    </nav>
  );
}
