import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Differences } from "@/components/operator/differences";
import { listDifferences } from "@/lib/differences/read";
import { DifferencesQuery } from "@/lib/differences/schema";

export const generateMetadata = titled("differences", "title");

export default staffListPage({
  texts: ["differences"],
  key: ["differences", "list"],
  path: "/api/operator/v1/differences",
  query: { per_page: 25 },
  filters: DifferencesQuery,
  read: listDifferences,
  shows: Differences,
});
