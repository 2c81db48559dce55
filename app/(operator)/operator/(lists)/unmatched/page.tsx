import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { UnmatchedList } from "@/components/operator/unmatched";
import { listUnmatched } from "@/lib/unmatched/read";
import { UnmatchedQuery } from "@/lib/unmatched/schema";

export const generateMetadata = titled("unmatched", "title");

export default staffListPage({
  texts: ["unmatched"],
  key: ["unmatched", "list"],
  path: "/api/operator/v1/unmatched",
  query: { per_page: 25 },
  filters: UnmatchedQuery,
  read: listUnmatched,
  shows: UnmatchedList,
});
