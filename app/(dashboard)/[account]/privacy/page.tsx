import { titled } from "@/app/titled";
import { PrivacyPage } from "@/components/privacy/privacy";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { KEPT_YEARS } from "@/lib/privacy/places";
import { shownRetention } from "@/lib/privacy/retention";

export const generateMetadata = titled("settings", "tabs.privacy");

export default async function Page({ params }: InAccount) {
  await requireAccount(params, "profile:read");
  return <PrivacyPage rules={shownRetention()} years={KEPT_YEARS} />;
}
