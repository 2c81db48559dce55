import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { CompanyPage } from "@/components/settings/company";
import { closingQuery, ownAccountQuery } from "@/components/settings/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readClosing } from "@/lib/closing/read";
import { readOwnAccount } from "@/lib/profile/read";

export const generateMetadata = titled("settings", "title");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "profile:read");
  const { account, role } = session;
  const mayClose = role === "owner" && account.mode === "live" && account.status !== "closed";
  return (
    <Hydrated
      for={session}
      reads={[
        [ownAccountQuery(account.id), () => readOwnAccount(account.id)],
        ...(mayClose ? [[closingQuery(account.id), () => readClosing(account.id)] as const] : []),
      ]}
    >
      <CompanyPage />
    </Hydrated>
  );
}
