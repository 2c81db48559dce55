import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Disputes } from "@/components/disputes/list";
import { listDisputes } from "@/lib/disputes/read";
import { DisputeQuery } from "@/lib/disputes/schema";

export const generateMetadata = titled("disputes", "title");

export default listPage({
  texts: ["disputes"],
  scope: "disputes:read",
  key: ["disputes", "list"],
  path: "/api/partner/v1/disputes",
  query: { per_page: 25 },
  filters: DisputeQuery,
  read: ({ id }, query) => listDisputes(id, query),
  shows: Disputes,
  curl: `curl "$API/disputes?status=open" -H "Authorization: Bearer $TOKEN"`,
});
