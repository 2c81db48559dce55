import { auditCells, exportAuditForStaff } from "@/lib/audit-log/read";
import { AuditExport, exported } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary:
        "What the staff and the program did beside any account as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Operator",
      auth: "staff",
      query: AuditExport,
      response: CsvLines,
      csv: "audit.csv",
    },
    async ({ query }) => csvLines(query.format, exported, await exportAuditForStaff(null, query), auditCells),
  ),
});
