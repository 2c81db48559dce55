"use client";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { AccountLink, useAccountPath } from "@/components/ui/link";
import { Tab, Tabs } from "@/components/ui/tabs";

const pages = [
  ["entries", "/statement"],
  ["months", "/statement/months"],
] as const;

/** The lines of a statement, and its months. */
export function StatementTabs() {
  const t = useTranslations("statement");
  const to = useAccountPath();
  const path = usePathname();
  return (
    <div className="mb-6 print:hidden">
      <Tabs label={t("views")}>
        {pages.map(([key, href]) => (
          <Tab key={key} here={path === to(href)}>
            {(look) => (
              <AccountLink {...look} href={href}>
                {t(key)}
              </AccountLink>
            )}
          </Tab>
        ))}
      </Tabs>
    </div>
  );
}
