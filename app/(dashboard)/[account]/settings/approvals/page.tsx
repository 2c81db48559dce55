import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { ApprovalsPage } from "@/components/approvals/approvals";
import { approvalsQuery } from "@/components/approvals/query";
import { listApprovals } from "@/lib/approvals/read";
import { type InAccount, requireAccount } from "@/lib/auth/session";

export const generateMetadata = titled("settings", "tabs.approvals");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "team:read");
  const { account, user, role } = session;
  return (
    <Hydrated
      for={session}
      reads={[[approvalsQuery(account.id), () => listApprovals(account.id, { userId: user.id, role })]]}
    >
      <ApprovalsPage />
    </Hydrated>
  );
}
