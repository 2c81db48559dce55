import { exportHeads } from "@/lib/audit-log/heads";
import { marked } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary:
        "Up to where each account's chain of events was verified and published, from which the mailed root is made, as a CSV file",
      tag: "Operator",
      auth: "staff",
      response: CsvLines,
      csv: "audit-heads.csv",
    },
    async () => csvLines("raw", marked, exportHeads()),
  ),
});
