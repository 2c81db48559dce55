import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { SentSplits } from "@/components/splits/sent";
import { listSent } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";

export const generateMetadata = titled("splits", "tabs.sent");

export default listPage({
  texts: ["splits"],
  scope: "splits:read",
  feature: "recurring",
  key: ["splits", "sent"],
  path: "/api/partner/v1/subscription-splits",
  query: { per_page: 50 },
  filters: SplitQuery,
  read: listSent,
  shows: SentSplits,
  curl: `curl -X POST $API/subscription-plans/$PLAN/splits -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"email": "ana@exemplo.com.br", "percentage": "12.5"}'`,
});
