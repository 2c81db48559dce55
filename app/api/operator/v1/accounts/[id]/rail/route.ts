import { z } from "zod";
import { AccountRail } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { chooseRail } from "@/lib/sellers/choose-rail";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    {
      summary: "Choose the provider of an account's Pix; open codes are still paid where they were made",
      tag: "Operator",
      auth: "staff",
      staffScope: "providers:write",
      stepUp: true,
      ids: { id: "account_not_found" },
      body: AccountRail,
      response: z.object({ data: AccountRail }),
      errors: ["provider_not_found"],
    },
    ({ params, body }) => chooseRail({ ...body, id: params.id ?? "" }),
  ),
});
