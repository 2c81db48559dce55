import type { Role, StaffRole } from "@/prisma/client/enums";

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
  "withdrawals:read": "Ver saques",
  "withdrawals:write": "Pedir, aprovar e cancelar saques",
  "disputes:read": "Ver contestações",
  "disputes:write": "Defender contestações",
  "sandbox:write": "Simular pagamentos no ambiente de testes",
  "team:read": "Ver a equipe",
  "team:write": "Convidar, alterar e remover pessoas",
  "audit:read": "Ver a auditoria",
  "personal:read": "Ver documentos, e-mails e telefones por inteiro",
} as const;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];

/** What a program can never do: these scopes are of persons alone. */
const ofPersons: readonly Scope[] = ["account:write", "team:read", "team:write", "audit:read", "personal:read"];

/** The scopes that a credential can have. */
export const credentialScopes = allScopes.filter((scope) => !ofPersons.includes(scope));

/** The scopes that move money out. A credential has one only where it is named, never by a role. */
export const moneyScopes = ["refunds:write", "withdrawals:write"] as const satisfies readonly Scope[];

export const isMoneyScope = (scope: string) => (moneyScopes as readonly string[]).includes(scope);

const reads = allScopes.filter((scope) => scope.endsWith(":read") && scope !== "personal:read");

/** The scopes of a credential: those that were listed for it and, if it follows a role, those of the role that move no money. */
export const scopesOf = ({ role, scopes }: { role: Role | null; scopes: readonly string[] }) =>
  [...(role ? credentialScopesOf(role) : []), ...scopes] as readonly Scope[];

/** What a credential that follows a role has by it. */
const credentialScopesOf = (role: Role) =>
  roles[role].filter((scope) => !ofPersons.includes(scope) && !isMoneyScope(scope));

/** The scopes of each role; API and menu both read them. */
export const roles: Record<Role, readonly Scope[]> = {
  owner: allScopes,
  admin: allScopes,
  finance: [
    ...reads,
    "personal:read",
    "transactions:write",
    "plans:write",
    "subscriptions:write",
    "splits:write",
    "refunds:write",
    "withdrawals:write",
    "disputes:write",
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
  viewer: reads.filter((scope) => scope !== "credentials:read" && scope !== "audit:read"),
};

/** What a person of the operator's staff may do beyond reading, which every role may. */
export type StaffScope =
  | "accounts:write"
  | "money:write"
  | "refunds:write"
  | "mails:write"
  | "staff:write"
  | "providers:write"
  | "notes:write"
  | "personal:read";

/** The scopes of each role of the staff. */
export const staffRoles: Record<StaffRole, readonly StaffScope[]> = {
  support: ["notes:write"],
  finance: ["notes:write", "money:write", "refunds:write", "personal:read"],
  admin: ["notes:write", "accounts:write", "mails:write", "staff:write", "providers:write", "personal:read"],
};

export const staffScopesOf = (roles: readonly StaffRole[]) => roles.flatMap((role) => staffRoles[role]);

/**
 * Whether a person with these scopes sees documents, e-mails and phones whole; everybody else sees them masked
 * (`lib/privacy/mask.ts`). A program gets them as whoever made its key.
 */
export const seesWhole = (scopes: readonly string[]) => scopes.includes("personal:read" satisfies Scope & StaffScope);
