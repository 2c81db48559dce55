import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { StatementMonths } from "@/components/statement/months";
import { readMonths } from "@/lib/statement/months";
import { MonthsQuery } from "@/lib/statement/schema";

export const generateMetadata = titled("statement", "months");

export default listPage({
  texts: ["statement"],
  scope: "balance:read",
  key: ["statement", "months"],
  path: "/api/partner/v1/statement/months",
  query: { per_page: 6 },
  filters: MonthsQuery,
  read: readMonths,
  shows: StatementMonths,
  curl: `curl $API/statement/months -H "Authorization: Bearer $TOKEN"`,
});
