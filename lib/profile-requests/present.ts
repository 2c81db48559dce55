import type { ProfileRequest } from "@/lib/profile-requests/schema";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { ProfileRequest as Row } from "@/prisma/client/client";

export const presentRequest = (row: Row): ProfileRequest => ({
  ...{ id: row.id, status: row.status, name: row.name, document: row.document },
  legal_representative: row.legalRepresentative as ProfileRequest["legal_representative"],
  ...{ reason: row.reason, created_at: iso(row.createdAt), ended_at: isoOrNull(row.endedAt) },
});
