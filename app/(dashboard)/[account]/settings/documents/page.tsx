import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { DocumentsPage } from "@/components/settings/documents";
import { documentsQuery } from "@/components/settings/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readOnboarding } from "@/lib/onboarding/read";

export const generateMetadata = titled("settings", "tabs.documents");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "profile:read");
  const { account } = session;
  const isLive = account.mode === "live";
  return (
    <Hydrated for={session} reads={isLive ? [[documentsQuery(account.id), () => readOnboarding(account.id)]] : []}>
      <DocumentsPage />
    </Hydrated>
  );
}
