import { z } from "zod";
import { payerPolicies, states, zones } from "@/lib/profile/limits";
import { ProfileRequest } from "@/lib/profile-requests/schema";
import { time } from "@/lib/time/schema";
import { EmailOrNull, PhoneOrNull } from "@/lib/typed/fields";
import { AccountStatus, Mode } from "@/prisma/client/enums";

const line = (limit: number) => z.string().trim().max(limit);

/** Where a company is, as GET /profile has it. The city is the one of its BR Codes. */
export const Address = z.object({
  zipCode: z
    .string()
    .max(20)
    .transform((text) => text.replace(/\D/g, ""))
    .refine((digits) => digits.length === 8, "O CEP tem 8 dígitos."),
  street: line(120).min(1, "Informe a rua."),
  streetNumber: line(20).min(1, "Informe o número, ou s/n."),
  complement: line(60).optional(),
  district: line(60).min(1, "Informe o bairro."),
  city: line(60).min(1, "Informe a cidade."),
  state: z.enum(states, { error: "Escolha o estado." }),
});
export type Address = z.output<typeof Address>;

/**
 * PATCH /api/dashboard/v1/account: what a seller changes by itself; what is not given stays as it is. An address is changed
 * as a whole. The rest of the profile is asked for (lib/profile-requests).
 */
export const ProfileChange = z
  .object({
    phone: PhoneOrNull.optional(),
    address: Address.nullable().optional(),
    support_email: EmailOrNull.optional(),
    support_phone: PhoneOrNull.optional(),
    time_zone: z.enum(zones).optional(),
    payer_policy: z.enum(payerPolicies).optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), "Informe o que muda.");
export type ProfileChange = z.output<typeof ProfileChange>;
/** The same as it is sent. */
export type ProfileChangeSent = z.input<typeof ProfileChange>;

const text = z.string().nullable();

/** An account as its own people see it. Addresses of before this schema may have other members. */
export const OwnProfile = z.object({
  name: z.string(),
  email: z.string(),
  document: z.string(),
  mode: z.enum(Mode),
  status: z.enum(AccountStatus),
  phone: text,
  address: z.record(z.string(), z.unknown()).nullable(),
  legal_representative: z.record(z.string(), z.unknown()).nullable(),
  support_email: text,
  support_phone: text,
  image_url: text,
  time_zone: z.string(),
  /** What is done with a Pix of somebody else than the sale's client: a sale all the same, a mark on it, or no sale. */
  payer_policy: z.enum(payerPolicies),
  created_at: time,
});
export type OwnProfile = z.output<typeof OwnProfile>;

/** The same with what stands around it: whether its zone can still be changed, and its newest request of a change. */
export const OwnAccount = OwnProfile.extend({
  time_zone_is_fixed: z.boolean(),
  request: ProfileRequest.nullable(),
});
export type OwnAccount = z.output<typeof OwnAccount>;

export const OwnProfileAnswer = z.object({ data: OwnProfile });
export const OwnAccountAnswer = z.object({ data: OwnAccount });
