import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { CompanyPage } from "@/components/settings/company";
import { closingQuery, ownAccountQuery } from "@/components/settings/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readClosing } from "@/lib/closing/read";
import { readOwnAccount } from "@/lib/profile/read";

export const generateMetadata = titled("settings", "title");

export default async function Page({ params }: InAccount) {
  const { account, role } = await requireAccount(params, "profile:read");
  const mayClose = role === "owner" && account.mode === "live" && account.status !== "closed";
  return (
    <Hydrated
      reads={[
        [ownAccountQuery(account.id), () => readOwnAccount(account.id)],
        ...(mayClose ? [[closingQuery(account.id), () => readClosing(account.id)] as const] : []),
      ]}
    >
      <CompanyPage />
    </Hydrated>
  );
}
