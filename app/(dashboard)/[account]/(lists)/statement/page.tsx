import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Statement } from "@/components/statement/list";
import { readStatement } from "@/lib/statement/read";
import { StatementQuery } from "@/lib/statement/schema";

export const generateMetadata = titled("statement", "title");

export default listPage({
  texts: ["statement"],
  scope: "balance:read",
  key: ["statement", "list"],
  path: "/api/partner/v1/statement",
  query: { per_page: 25 },
  filters: StatementQuery,
  read: readStatement,
  shows: Statement,
  curl: `curl $API/statement -H "Authorization: Bearer $TOKEN"`,
});
