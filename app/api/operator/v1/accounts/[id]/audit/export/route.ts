import { auditCells, exportAuditForStaff } from "@/lib/audit-log/read";
import { AuditExport, exported } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened in an account as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      query: AuditExport,
      response: CsvLines,
      csv: "audit.csv",
    },
    async ({ params, query }) =>
      csvLines(query.format, exported, await exportAuditForStaff(params.id ?? "", query), auditCells),
  ),
});
