import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { PublicKeyPage } from "@/components/cards/public-key";
import { publicKeyQuery } from "@/components/cards/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { limits } from "@/lib/limits";
import { readPublicKey } from "@/lib/public-keys/public-key";

export const generateMetadata = titled("publicKey", "title");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "cards:read");
  const { account } = session;
  const mayUseCards = account.features.includes("cards");
  return (
    <Hydrated for={session} reads={[[publicKeyQuery(account.id), () => readPublicKey(account)]]}>
      <PublicKeyPage enabled={mayUseCards} apiUrl={env.APP_URL} maxDomains={limits.domains} />
    </Hydrated>
  );
}
