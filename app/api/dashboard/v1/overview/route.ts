import { z } from "zod";
import { readOverview } from "@/lib/dashboard/overview";
import { Overview } from "@/lib/dashboard/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What the home page shows: today, balance, 60 days, checklist",
      tag: "Dashboard",
      scopes: ["balance:read", "transactions:read"],
      response: z.object({ data: Overview }),
    },
    async ({ account }) => ({ data: await readOverview(account) }),
  ),
});
