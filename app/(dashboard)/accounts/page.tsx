import { titled } from "@/app/titled";
import { ChooseAccount } from "@/components/frame/choose-account";
import { requirePerson } from "@/lib/auth/session";
import { listAccountsOf } from "@/lib/team/accounts";

export const dynamic = "force-dynamic";

export const generateMetadata = titled("accounts", "title");

export default async function AccountsPage() {
  const { id, email } = await requirePerson();
  const { data } = await listAccountsOf({ userId: id });
  return <ChooseAccount accounts={data} email={email} />;
}
