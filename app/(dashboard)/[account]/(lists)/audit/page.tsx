import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Audit } from "@/components/audit/audit";
import { listAudit } from "@/lib/audit-log/read";
import { AuditQuery } from "@/lib/audit-log/schema";

export const generateMetadata = titled("settings", "tabs.audit");

export default listPage({
  texts: ["settings", "audit", "timeline", "deliveries", "card", "scopes"],
  scope: "audit:read",
  key: ["audit"],
  path: "/api/dashboard/v1/audit",
  query: { per_page: 25 },
  filters: AuditQuery,
  read: listAudit,
  shows: Audit,
});
