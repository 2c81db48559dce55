import { z } from "zod";
import { isOrigin, originMeant } from "@/lib/typed/origins";
import { locales } from "@/messages";

export const Domain = z.object({ id: z.uuid(), origin: z.string(), created_at: z.string() });
export type Domain = z.output<typeof Domain>;

/** GET /public-key. */
export const PublicKey = z.object({
  data: z.object({ key: z.string(), created_at: z.string(), domains: z.array(Domain) }),
});
export type PublicKey = z.output<typeof PublicKey>;

/**
 * The form of a registered domain: https, a host, a port perhaps, and nothing after it;
 * http for localhost and 127.0.0.1 alone.
 */
export const Origin = z
  .string()
  .trim()
  .max(255)
  .refine(isOrigin, { error: ({ input }) => askFor(originMeant(String(input))) });

const askFor = (origin: string | undefined) =>
  origin === undefined
    ? "Use https://dominio, sem caminho nem barra no fim; http só para localhost e 127.0.0.1."
    : `Use ${origin}, que é como o navegador informa este endereço.`;

export const DomainBody = z.object({ origin: Origin });
export const DomainAnswer = z.object({ data: Domain });
export const DomainTestBody = z.object({ origin: z.string().trim().max(2048) });

/** POST /public-key/domains/test: whether a browser's page of this origin would be let in, and if not, why. */
export const DomainTest = z.object({
  data: z.object({
    accepted: z.boolean(),
    reason: z.enum(["accepted", "malformed", "not_listed", "no_domain", "cards_disabled", "account_inactive"]),
    /** The origin that a malformed one probably means; null where there is none. */
    meant: z.string().nullable(),
  }),
});
export type DomainTest = z.output<typeof DomainTest>;

/** The query of the card fields' page. A malformed key counts as none; anything else has a default. */
export const FieldsQuery = z.object({
  key: z
    .string()
    .regex(/^pk_(live|test)_[\w-]{43}$/)
    .catch(""),
  /** The page that shows the fields, whose origin receives their messages. */
  parent: z.string().max(255).catch(""),
  locale: z.enum(locales).catch("pt-BR"),
  theme: z.enum(["light", "dark", "auto"]).catch("light"),
});
