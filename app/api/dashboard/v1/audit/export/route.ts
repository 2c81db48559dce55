import { auditCells, exportAudit } from "@/lib/audit-log/read";
import { AuditExport, exported } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened in the account as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Dashboard",
      auth: "session",
      scopes: ["audit:read"],
      query: AuditExport,
      response: CsvLines,
      csv: "audit.csv",
    },
    async ({ account, query }) => csvLines(query.format, exported, exportAudit(account, query), auditCells),
  ),
});
