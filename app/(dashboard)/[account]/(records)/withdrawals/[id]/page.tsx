import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { WithdrawalPage } from "@/components/withdrawals/detail";
import { withdrawalQuery } from "@/components/withdrawals/queries";
import { readWithdrawalDetail } from "@/lib/dashboard/withdrawal";

export const generateMetadata = titled("withdrawals", "one");

export default recordPage({
  texts: ["withdrawals", "timeline", "deliveries", "card"],
  scope: "withdrawals:read",
  feature: "cash_out",
  subject: "withdrawal",
  reads: (account, id, _filters, { user }) => [
    [withdrawalQuery(account.id, id), async () => ({ data: await readWithdrawalDetail(account, id, user.id) })],
  ],
  shows: WithdrawalPage,
});
