"use client";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { AccountLink, useAccountPath } from "@/components/ui/link";
import { Tab, Tabs } from "@/components/ui/tabs";

const pages = [
  ["received", "/splits"],
  ["sent", "/splits/sent"],
  ["earnings", "/splits/earnings"],
] as const;

/** The pages of splits. Only an account that sells plans sends splits. */
export function SplitTabs() {
  const t = useTranslations("splits");
  const to = useAccountPath();
  const path = usePathname();
  const sells = useSession().features.includes("recurring");
  return (
    <Tabs label={t("title")}>
      {pages
        .filter(([key]) => sells || key !== "sent")
        .map(([key, href]) => (
          <Tab key={key} here={path === to(href)}>
            {(look) => (
              <AccountLink {...look} href={href}>
                {t(`tabs.${key}`)}
              </AccountLink>
            )}
          </Tab>
        ))}
    </Tabs>
  );
}
