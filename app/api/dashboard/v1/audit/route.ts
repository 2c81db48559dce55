import { listAudit } from "@/lib/audit-log/read";
import { AuditPage, AuditQuery } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary:
        "What happened in the account, newest first: who did what, from where, what changed, and whether it is intact",
      tag: "Dashboard",
      auth: "session",
      scopes: ["audit:read"],
      query: AuditQuery,
      response: AuditPage,
    },
    ({ account, query }) => listAudit(account, query),
  ),
});
