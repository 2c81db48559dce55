import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Credentials } from "@/components/credentials/list";
import { credentials } from "@/components/credentials/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { listCredentials } from "@/lib/credentials/read";
import { env } from "@/lib/env";

export const generateMetadata = titled("credentials", "title");

export default async function CredentialsPage({ params }: InAccount) {
  const { account } = await requireAccount(params, "credentials:read");
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/auth-token -H "Content-Type: application/json" -d '{"client_id": "…", "client_secret": "…"}'`;
  return (
    <Hydrated reads={[[credentials.of(account.id, {}), () => listCredentials(account.id, { page: 1, per_page: 100 })]]}>
      <Credentials curl={curl} />
    </Hydrated>
  );
}
