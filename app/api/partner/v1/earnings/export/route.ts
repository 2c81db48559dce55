import { exportEarnings } from "@/lib/earnings/read";
import { EarningExport, exported } from "@/lib/earnings/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What the account earned as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Splits",
      scopes: ["splits:read"],
      query: EarningExport,
      response: CsvLines,
      csv: "earnings.csv",
    },
    async ({ account, query }) => csvLines(query.format, exported, exportEarnings(account, query)),
  ),
});
