import { scopesOf } from "@/lib/auth/scopes";
import type { Credential } from "@/lib/credentials/schema";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Credential as Row } from "@/prisma/client/client";

export const present = (row: Row): Credential => ({
  id: row.clientId,
  client_id: row.clientId,
  name: row.name,
  scopes: [...scopesOf(row)],
  follows_role: row.role !== null,
  is_masked: row.isMasked,
  allowed_networks: row.allowedNetworks,
  secret_last4: row.secretLast4,
  api_key_last4: row.apiKeyLast4,
  created_at: iso(row.createdAt),
  expires_at: isoOrNull(row.expiresAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  last_used_ip: row.lastUsedIp,
});
