import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { WaitingWithdrawals } from "@/components/operator/withdrawals";
import { WaitingQuery } from "@/lib/withdrawals/schema";
import { listWaiting } from "@/lib/withdrawals/waiting";

export const generateMetadata = titled("payouts", "title");

export default staffListPage({
  texts: ["payouts"],
  key: ["withdrawals", "list"],
  path: "/api/operator/v1/withdrawals",
  query: { per_page: 25 },
  filters: WaitingQuery,
  read: listWaiting,
  shows: WaitingWithdrawals,
});
