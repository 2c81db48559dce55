import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readPayouts } from "@/lib/withdrawals/payouts";
import { Payouts } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Where payouts go and where they are stopped, with what waits",
      tag: "Operator",
      auth: "staff",
      response: z.object({ data: Payouts }),
    },
    async () => ({ data: await readPayouts() }),
  ),
});
