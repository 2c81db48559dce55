import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { PublicKeyPage } from "@/components/cards/public-key";
import { publicKeyQuery } from "@/components/cards/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readPublicKey } from "@/lib/cards/public-key";
import { MAX_DOMAINS } from "@/lib/cards/schema";
import { env } from "@/lib/env";

export const generateMetadata = titled("publicKey", "title");

export default async function Page({ params }: InAccount) {
  const { account } = await requireAccount(params, "cards:read");
  const mayUseCards = account.features.includes("cards");
  return (
    <Hydrated reads={mayUseCards ? [[publicKeyQuery(account.id), () => readPublicKey(account)]] : []}>
      <PublicKeyPage enabled={mayUseCards} apiUrl={env.APP_URL} maxDomains={MAX_DOMAINS} />
    </Hydrated>
  );
}
