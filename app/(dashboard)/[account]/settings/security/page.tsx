import { titled } from "@/app/titled";
import { Security } from "@/components/security/security";
import { SettingsHead } from "@/components/settings/tabs";
import { type InAccount, requireAccount } from "@/lib/auth/session";

export const generateMetadata = titled("settings", "tabs.security");

export default async function Page({ params }: InAccount) {
  await requireAccount(params);
  return (
    <>
      <SettingsHead />
      <Security />
    </>
  );
}
