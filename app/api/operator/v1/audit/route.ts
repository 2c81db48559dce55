import { listAuditForStaff } from "@/lib/audit-log/read";
import { AuditPage, AuditQuery } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what the staff and the program did beside any account, newest first",
      tag: "Operator",
      auth: "staff",
      query: AuditQuery,
      response: AuditPage,
    },
    ({ query }) => listAuditForStaff(null, query),
  ),
});
