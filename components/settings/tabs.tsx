"use client";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { AccountLink, useAccountPath } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page";
import { Tab, Tabs } from "@/components/ui/tabs";
import type { Scope } from "@/lib/auth/scopes";

/** The pages of the settings, each with what a person must have to open it. */
const pages = [
  ["company", "/settings", "profile:read"],
  ["documents", "/settings/documents", "profile:read"],
  ["team", "/settings/team", "team:read"],
  ["approvals", "/settings/approvals", "team:read"],
  ["security", "/settings/security", "profile:read"],
  ["notifications", "/settings/notifications", "profile:read"],
  ["tracking", "/settings/tracking", "webhooks:read"],
  ["privacy", "/privacy", "profile:read"],
  ["audit", "/audit", "audit:read"],
] as const satisfies readonly (readonly [string, string, Scope])[];

/** The head of every page of the settings. */
export function SettingsHead() {
  const t = useTranslations("settings");
  return (
    <>
      <PageHead title={t("title")} />
      <SettingsTabs />
    </>
  );
}

export function SettingsTabs() {
  const t = useTranslations("settings");
  const to = useAccountPath();
  const path = usePathname();
  const { scopes } = useSession();
  return (
    <div className="mb-8">
      <Tabs label={t("title")}>
        {pages
          .filter(([, , scope]) => scopes.includes(scope))
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
    </div>
  );
}
