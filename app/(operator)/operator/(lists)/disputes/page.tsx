import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { OpenDisputes } from "@/components/operator/disputes";
import { listOpenDisputes } from "@/lib/disputes/review";
import { DisputeReviewQuery } from "@/lib/disputes/schema";

export const generateMetadata = titled("disputes", "title");

export default staffListPage({
  texts: ["disputes"],
  key: ["disputes", "list"],
  path: "/api/operator/v1/disputes",
  query: { per_page: 25 },
  filters: DisputeReviewQuery,
  read: listOpenDisputes,
  shows: OpenDisputes,
});
