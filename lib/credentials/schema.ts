import { z } from "zod";
import { credentialScopes, type Scope } from "@/lib/auth/scopes";

const scopeNames = credentialScopes as [Scope, ...Scope[]];

export const Credential = z.object({
  id: z.uuid(),
  client_id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  secret_last4: z.string(),
  api_key_last4: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type Credential = z.output<typeof Credential>;

/** A new credential with its secrets, which are never shown again. */
export const NewCredential = Credential.extend({ client_secret: z.string(), api_key: z.string() });
export type NewCredential = z.output<typeof NewCredential>;

/** POST /credentials. Without `scopes` the credential has all scopes of its maker. */
export const CredentialBody = z.object({
  name: z.string().trim().min(1, "Dê um nome à credencial.").max(100),
  scopes: z.array(z.enum(scopeNames)).min(1).max(scopeNames.length).optional(),
});
export type CredentialBody = z.output<typeof CredentialBody>;

/** POST /auth-token. */
export const AuthTokenBody = z.object({ client_id: z.string().max(100), client_secret: z.string().max(200) });

export const AuthToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.literal(3600),
  expires_at: z.string(),
});
