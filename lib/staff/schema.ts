import { z } from "zod";
import { time } from "@/lib/time/schema";
import { Email } from "@/lib/typed/fields";
import { StaffRole } from "@/prisma/client/enums";

const roles = z
  .array(z.enum(StaffRole))
  .min(1, "Escolha o que a pessoa pode fazer.")
  .max(Object.keys(StaffRole).length)
  .transform((roles) => [...new Set(roles)]);

/** A person of the operator's staff. */
export const StaffMember = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(StaffRole)),
  /** Whether the person has yet to follow the link of the invitation. */
  is_invited: z.boolean(),
  has_second_factor: z.boolean(),
  is_me: z.boolean(),
  created_at: time,
});
export type StaffMember = z.output<typeof StaffMember>;

/** GET /api/operator/v1/staff */
export const Staff = z.object({ data: z.array(StaffMember) });
export type Staff = z.output<typeof Staff>;

/** POST /api/operator/v1/staff */
export const StaffInviteBody = z.object({
  name: z.string().trim().min(2, "Informe o nome da pessoa.").max(120),
  email: Email,
  roles,
});
export type StaffInviteBody = z.output<typeof StaffInviteBody>;
export type StaffInviteBodySent = z.input<typeof StaffInviteBody>;

/** PATCH /api/operator/v1/staff/{id} */
export const StaffRolesBody = z.object({ roles });
export type StaffRolesBody = z.output<typeof StaffRolesBody>;
