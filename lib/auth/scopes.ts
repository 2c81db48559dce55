import type { Role } from "@/prisma/client/enums";

/** Every permission of the API, with what it allows. */
export const scopes = {
  "balance:read": "Consultar o saldo",
  "profile:read": "Consultar os dados da conta",
  "account:write": "Alterar os dados da conta, enviar documentos e encerrar a conta",
  "transactions:read": "Consultar transações",
  "transactions:write": "Criar cobranças",
  "credentials:read": "Ver credenciais",
  "credentials:write": "Criar e revogar credenciais",
  "cards:read": "Ver a chave pública e os domínios",
  "cards:write": "Tokenizar e cobrar cartões, e gerir a chave pública",
  "plans:read": "Ver produtos e planos",
  "plans:write": "Criar e alterar produtos e planos",
  "subscriptions:read": "Ver assinaturas e assinantes",
  "subscriptions:write": "Criar e alterar assinaturas",
  "splits:read": "Ver repasses e convites",
  "splits:write": "Convidar recebedores, e aceitar ou recusar convites",
  "webhooks:read": "Ver webhooks e entregas",
  "webhooks:write": "Criar, alterar e reenviar webhooks",
  "refunds:read": "Ver estornos",
  "refunds:write": "Pedir e cancelar estornos",
  "sandbox:write": "Simular pagamentos no ambiente de testes",
} as const;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];

/** What a program can never do: these scopes are of persons alone. */
const ofPersons: readonly Scope[] = ["account:write"];

/** The scopes that a credential can have. */
export const credentialScopes = allScopes.filter((scope) => !ofPersons.includes(scope));

const reads = allScopes.filter((scope) => scope.endsWith(":read"));

/** The scopes of a credential: those that its role has today, or those that were listed for it. */
export const scopesOf = ({ role, scopes }: { role: Role | null; scopes: readonly string[] }) =>
  role ? roles[role].filter((scope) => !ofPersons.includes(scope)) : (scopes as readonly Scope[]);

/** The scopes of each role; API and menu both read them. */
export const roles: Record<Role, readonly Scope[]> = {
  owner: allScopes,
  admin: allScopes,
  finance: [
    ...reads,
    "transactions:write",
    "plans:write",
    "subscriptions:write",
    "splits:write",
    "refunds:write",
    "sandbox:write",
  ],
  developer: [
    ...reads,
    "transactions:write",
    "credentials:write",
    "cards:write",
    "plans:write",
    "subscriptions:write",
    "splits:write",
    "webhooks:write",
    "sandbox:write",
  ],
  viewer: reads.filter((scope) => scope !== "credentials:read"),
};
