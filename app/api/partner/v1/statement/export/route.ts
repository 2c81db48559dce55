import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";
import { exportStatement } from "@/lib/statement/export";
import { exported, StatementExport } from "@/lib/statement/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account's statement as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Statement",
      scopes: ["balance:read"],
      query: StatementExport,
      response: CsvLines,
      csv: "statement.csv",
    },
    async ({ account, query }) => csvLines(query.format, exported, exportStatement(account, query)),
  ),
});
