import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { UnansweredList } from "@/components/operator/unanswered";
import { listUnanswered } from "@/lib/outside/read";
import { UnansweredQuery } from "@/lib/outside/schema";

export const generateMetadata = titled("unanswered", "title");

export default staffListPage({
  key: ["unanswered", "list"],
  path: "/api/operator/v1/unanswered",
  query: { per_page: 25 },
  texts: ["unanswered"],
  filters: UnansweredQuery,
  read: listUnanswered,
  shows: UnansweredList,
});
