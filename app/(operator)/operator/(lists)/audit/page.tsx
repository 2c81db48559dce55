import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { StaffAudit } from "@/components/operator/audit";
import { listAuditForStaff } from "@/lib/audit-log/read";
import { AuditQuery } from "@/lib/audit-log/schema";

export const generateMetadata = titled("audit", "title");

export default staffListPage({
  texts: ["audit", "timeline", "deliveries", "card", "scopes"],
  key: ["audit"],
  path: "/api/operator/v1/audit",
  query: { per_page: 25 },
  filters: AuditQuery,
  read: (query) => listAuditForStaff(null, query),
  shows: StaffAudit,
});
