"use client";
import Link from "next/link";
import { type ComponentProps, useState } from "react";
import { useTranslations } from "use-intl";
import { toast } from "@/components/ui/toast";

export type PageLinkProps = Omit<ComponentProps<typeof Link>, "prefetch">;

/**
 * A link to another page of ours. The page is prefetched only when someone points at the link, because the links of one
 * page would otherwise cost twenty requests. Offline it shows a notice instead of leaving the page.
 */
export function PageLink(props: PageLinkProps) {
  const t = useTranslations("errors.unanswered");
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return (
    <Link
      {...props}
      prefetch={wanted ? null : false}
      onPointerEnter={want}
      onTouchStart={want}
      onFocus={want}
      onNavigate={(event) => {
        if (navigator.onLine) return;
        event.preventDefault();
        toast(t("no_answer"), "bad");
      }}
    />
  );
}
