import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Statement } from "@/components/statement/list";
import { readStatement } from "@/lib/statement/read";
import { StatementQuery } from "@/lib/statement/schema";

export const generateMetadata = titled("statement", "title");

export default listPage({
  texts: ["statement", "timeline", "balance"],
  scope: "balance:read",
  key: ["statement"],
  path: "/api/dashboard/v1/statement",
  query: { per_page: 25 },
  filters: StatementQuery,
  read: readStatement,
  shows: Statement,
});
