import { isValidCpf } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";
import { Document } from "@/lib/typed/fields";
import { ProfileRequestStatus } from "@/prisma/client/enums";

/** Who acts for a company: a person, by name and CPF. */
export const Representative = z.object({
  name: z.string().trim().min(2, "Informe o nome completo.").max(120),
  document: Document.refine((document) => isValidCpf(document), "Informe o CPF de uma pessoa."),
});
export type Representative = z.output<typeof Representative>;

/** What a seller asks to be changed of what the operator reviews; members that are not given stay as they are. */
export const ProfileRequestBody = z
  .object({
    name: z.string().trim().min(2, "Informe o nome da empresa.").max(120).optional(),
    document: Document.optional(),
    legal_representative: Representative.optional(),
  })
  .refine((asked) => Object.values(asked).some((value) => value !== undefined), "Informe o que deve mudar.");
export type ProfileRequestBody = z.output<typeof ProfileRequestBody>;
/** The same as it is sent. */
export type ProfileRequestSent = z.input<typeof ProfileRequestBody>;

const text = z.string().nullable();
const people = z.record(z.string(), z.unknown()).nullable();

export const ProfileRequest = z.object({
  id: z.uuid(),
  status: z.enum(ProfileRequestStatus),
  name: text,
  document: text,
  legal_representative: people,
  reason: text,
  created_at: time,
  ended_at: time.nullable(),
});
export type ProfileRequest = z.output<typeof ProfileRequest>;
export const ProfileRequestAnswer = z.object({ data: ProfileRequest });

export const ProfileRequestsQuery = PageQuery;

/** A request for who decides about it, with how the account is now. */
export const ReviewedRequest = z.object({
  request: ProfileRequest,
  account: z.object({ id: z.uuid(), name: z.string(), document: z.string(), legal_representative: people }),
});
export type ReviewedRequest = z.output<typeof ReviewedRequest>;
export const ReviewedRequestPage = pageOf(ReviewedRequest);
