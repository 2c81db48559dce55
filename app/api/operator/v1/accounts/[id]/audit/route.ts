import { listAuditForStaff } from "@/lib/audit-log/read";
import { AuditPage, AuditQuery } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what happened in an account, newest first",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      query: AuditQuery,
      response: AuditPage,
    },
    ({ params, query }) => listAuditForStaff(params.id ?? "", query),
  ),
});
