import { z } from "zod";
import { LinkSecret, longest, NewPassword } from "@/lib/accounts/schema";
import { time } from "@/lib/time/schema";
import { Email } from "@/lib/typed/fields";
import { locales } from "@/messages";
import { Role } from "@/prisma/client/enums";

export const Member = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(Role),
  joined_at: time,
  has_second_factor: z.boolean(),
  is_me: z.boolean(),
});
export type Member = z.output<typeof Member>;

export const TeamInvitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(Role),
  invited_by: z.string(),
  created_at: time,
  expires_at: time,
  /** Whether its link no longer opens. */
  is_over: z.boolean(),
});
export type TeamInvitation = z.output<typeof TeamInvitation>;

/** GET /api/dashboard/v1/team */
export const Team = z.object({ members: z.array(Member), invitations: z.array(TeamInvitation) });
export type Team = z.output<typeof Team>;

/** A seller whose team a person belongs to. */
export const AccountOfPerson = z.object({
  live_id: z.uuid(),
  sandbox_id: z.uuid(),
  name: z.string(),
  role: z.enum(Role),
});
export type AccountOfPerson = z.output<typeof AccountOfPerson>;

/** GET /api/dashboard/v1/accounts */
export const AccountsOfPerson = z.object({ data: z.array(AccountOfPerson) });
export type AccountsOfPerson = z.output<typeof AccountsOfPerson>;

/** POST /api/dashboard/v1/team/invitations */
export const TeamInviteBody = z.object({
  email: Email,
  role: z.enum(Role, { error: "Escolha o que a pessoa pode fazer." }),
});
export type TeamInviteBody = z.output<typeof TeamInviteBody>;

/** PATCH /api/dashboard/v1/team/members/{id} */
export const RoleBody = TeamInviteBody.pick({ role: true });

/** What the link of an invitation's mail shows before it asks for anything. */
export const TeamOffer = z.object({
  seller: z.string(),
  inviter: z.string(),
  role: z.enum(Role),
  email: z.string(),
  expires_at: time,
});
export type TeamOffer = z.output<typeof TeamOffer>;

export const ByTeamLink = z.object({ secret: LinkSecret });

/** POST /api/dashboard/v1/team-invitations/sign-up: the person of an invited e-mail who has no sign-in yet. */
export const JoinBody = ByTeamLink.extend({
  name: z.string().trim().min(2, "Informe o seu nome.").max(120),
  password: NewPassword,
  locale: z.enum(locales).optional(),
});
export type JoinBody = z.output<typeof JoinBody>;

/** The account that a person may open from now on. */
export const Joined = z.object({ message: z.string(), account: z.uuid(), email: z.string().max(longest.email) });
export type Joined = z.output<typeof Joined>;
