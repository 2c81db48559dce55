import { notFound } from "next/navigation";
import type { Searched } from "@/app/hydrated";
import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { StaffAudit } from "@/components/operator/audit";
import { listAuditForStaff } from "@/lib/audit-log/read";
import { AuditQuery } from "@/lib/audit-log/schema";
import { isId } from "@/lib/ids";

export const generateMetadata = titled("audit", "title");

export default async function Page({ params, searchParams }: { params: Promise<{ id: string }> } & Searched) {
  const { id } = await params;
  return isId(id) ? auditOf(id)({ searchParams }) : notFound();
}

const auditOf = (id: string) =>
  staffListPage({
    texts: ["audit", "timeline", "deliveries", "card", "scopes"],
    key: ["audit", id],
    path: `/api/operator/v1/accounts/${id}/audit`,
    query: { per_page: 25 },
    filters: AuditQuery,
    read: (query) => listAuditForStaff(id, query),
    shows: StaffAudit,
  });
