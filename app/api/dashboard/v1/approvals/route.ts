import { listApprovals } from "@/lib/approvals/read";
import { Approvals } from "@/lib/approvals/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What waits for a second person, and what was decided lately",
      tag: "Team",
      auth: "session",
      scopes: ["team:read"],
      response: Approvals,
    },
    ({ account, caller }) => listApprovals(account.id, caller),
  ),
});
