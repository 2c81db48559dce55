import { z } from "zod";
import { listAccounts } from "@/lib/accounts/list";
import { AccountsQuery, SellerAccount } from "@/lib/accounts/schema";
import { seesWhole } from "@/lib/auth/scopes";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CursorMeta } from "@/lib/lists/pagination";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List sellers, newest first, with counts by status",
      tag: "Operator",
      auth: "staff",
      query: AccountsQuery,
      response: z.object({
        data: z.array(SellerAccount),
        meta: CursorMeta.extend({ counts: z.record(z.string(), z.int()) }),
      }),
    },
    ({ query, caller }) => listAccounts(query, seesWhole(caller.staffScopes)),
  ),
});
