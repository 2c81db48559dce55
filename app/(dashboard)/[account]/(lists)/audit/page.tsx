import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Audit } from "@/components/audit/list";
import { listAudit } from "@/lib/audit-log/read";
import { AuditQuery } from "@/lib/audit-log/schema";

export const generateMetadata = titled("audit", "title");

export default listPage({
  texts: ["audit", "timeline", "deliveries", "card"],
  scope: "audit:read",
  key: ["audit"],
  path: "/api/dashboard/v1/audit",
  query: { per_page: 25 },
  filters: AuditQuery,
  read: listAudit,
  shows: Audit,
});
