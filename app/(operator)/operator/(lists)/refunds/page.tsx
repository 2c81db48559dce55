import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Reviews } from "@/components/operator/refunds";
import { listReviews } from "@/lib/refunds/review";
import { ReviewQuery } from "@/lib/refunds/schema";

export const generateMetadata = titled("reviews", "title");

export default staffListPage({
  texts: ["reviews", "refunds"],
  key: ["refunds", "list"],
  path: "/api/operator/v1/refunds",
  query: { per_page: 25 },
  filters: ReviewQuery,
  read: listReviews,
  shows: Reviews,
});
