import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines, csvLines } from "@/lib/lists/csv";
import { cellsOf, exported, exportTransactions } from "@/lib/transactions/export";
import { TransactionExport } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Sales as a CSV file, with the list's filters; times are those of Brasília",
      tag: "Transactions",
      scopes: ["transactions:read"],
      query: TransactionExport,
      response: CsvLines,
      csv: "transactions.csv",
    },
    async ({ account, query }) => csvLines(query.format, exported, exportTransactions(account, query), cellsOf),
  ),
});
