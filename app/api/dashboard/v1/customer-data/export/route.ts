import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CsvLines } from "@/lib/lists/csv";
import { exportPerson } from "@/lib/privacy/export";
import { PersonBody } from "@/lib/privacy/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "All that the account keeps of a customer, as a JSON file",
      tag: "Dashboard",
      auth: "session",
      scopes: ["account:write"],
      stepUp: true,
      evenIfClosed: true,
      acceptsKey: false,
      evenIfFull: true,
      body: PersonBody,
      response: CsvLines,
      csv: "customer-data.json",
    },
    async ({ account, body }) => {
      const lines = await exportPerson(account, body);
      return () => lines;
    },
  ),
});
