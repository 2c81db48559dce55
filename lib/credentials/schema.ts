import { z } from "zod";
import { credentialScopes, moneyScopes, type Scope } from "@/lib/auth/scopes";
import { realNow } from "@/lib/time/clock";

const scopeNames = credentialScopes as [Scope, ...Scope[]];

export const Credential = z.object({
  id: z.uuid(),
  client_id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** Whether it gets the scopes that the role of its maker is given later. */
  follows_role: z.boolean(),
  /** Whether its maker sees documents, e-mails and phones masked: then so does its program, on a live account. */
  is_masked: z.boolean(),
  /** The networks from which it may be used, in CIDR notation; everywhere where there are none. */
  allowed_networks: z.array(z.string()),
  secret_last4: z.string(),
  api_key_last4: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
});
export type Credential = z.output<typeof Credential>;

/** The same with the scopes that it has once another person of the team has agreed. */
export const ListedCredential = Credential.extend({ awaiting_scopes: z.array(z.string()) });
export type ListedCredential = z.output<typeof ListedCredential>;

/** A new credential with its secrets, which are never shown again. */
export const NewCredential = ListedCredential.extend({ client_secret: z.string(), api_key: z.string() });
export type NewCredential = z.output<typeof NewCredential>;

const NOT_A_NETWORK = "Informe um endereço de IP ou uma rede, como 203.0.113.7 ou 203.0.113.0/24.";

/** An IP address or a network in CIDR notation; an address becomes the network of it alone. */
const NetworkField = z
  .string()
  .trim()
  .max(64)
  .pipe(
    z.union(
      [
        z.ipv4().transform((address) => `${address}/32`),
        z.ipv6().transform((address) => `${address}/128`),
        z.cidrv4(),
        z.cidrv6(),
      ],
      { error: NOT_A_NETWORK },
    ),
  );

const networksField = z.array(NetworkField).max(50, "Informe até 50 endereços.");

const MAX_LIFE_MS = 10 * 365 * 86_400_000;
const NOT_AN_END = "Informe uma data de amanhã até daqui a 10 anos.";

/**
 * POST /credentials. Without `scopes` the credential has those of its maker, except the ones that move money out, which
 * `money_scopes` names.
 */
export const CredentialBody = z.object({
  name: z.string().trim().min(1, "Dê um nome à credencial.").max(100),
  scopes: z.array(z.enum(scopeNames)).min(1).max(scopeNames.length).optional(),
  money_scopes: z.array(z.enum(moneyScopes)).max(moneyScopes.length).optional(),
  allowed_networks: networksField.optional(),
  expires_at: z
    .string()
    .max(40)
    .pipe(z.coerce.date({ error: "Informe uma data." }))
    .refine((at) => at > realNow() && at.getTime() < realNow().getTime() + MAX_LIFE_MS, NOT_AN_END)
    .optional(),
});
export type CredentialBody = z.output<typeof CredentialBody>;

/** PATCH /credentials/{id}: its name and the networks from which it may be used. */
export const CredentialChange = z.object({
  name: CredentialBody.shape.name.optional(),
  allowed_networks: networksField.optional(),
});
export type CredentialChange = z.output<typeof CredentialChange>;

/** POST /auth-token. */
export const AuthTokenBody = z.object({ client_id: z.string().max(100), client_secret: z.string().max(200) });

export const AuthToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.literal(3600),
  expires_at: z.string(),
});
