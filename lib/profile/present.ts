import { imageUrl } from "@/lib/products/present";
import type { OwnProfile } from "@/lib/profile/schema";
import { iso } from "@/lib/time/clock";
import type { Account } from "@/prisma/client/client";

export const presentProfile = (account: Account): OwnProfile => ({
  ...{ name: account.name, email: account.email, document: account.document },
  ...{ mode: account.mode, status: account.status, phone: account.phone },
  address: account.address as OwnProfile["address"],
  legal_representative: account.legalRepresentative as OwnProfile["legal_representative"],
  ...{ support_email: account.supportEmail, support_phone: account.supportPhone },
  image_url: imageUrl(account),
  ...{ time_zone: account.timeZone, payer_policy: account.payerPolicy },
  created_at: iso(account.createdAt),
});
