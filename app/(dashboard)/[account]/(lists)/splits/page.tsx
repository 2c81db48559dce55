import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { ReceivedSplits } from "@/components/splits/received";
import { listReceived } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";

export const generateMetadata = titled("splits", "title");

export default listPage({
  texts: ["splits"],
  scope: "splits:read",
  key: ["splits", "received"],
  path: "/api/partner/v1/subscription-splits/mine",
  query: { per_page: 50 },
  filters: SplitQuery,
  read: listReceived,
  shows: ReceivedSplits,
  curl: `curl $API/subscription-splits/mine -H "Authorization: Bearer $TOKEN"`,
});
