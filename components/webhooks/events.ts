import type { WebhookEvent } from "@/lib/webhooks/schema";

/**
 * Every kind of event that a webhook can be registered for, as the form groups them, the first of each most asked for. The
 * schema's own list would load zod with the page; a test compares the two.
 */
export const eventGroups = {
  sales: ["transaction", "card", "refund", "infraction"],
  pix: ["all", "cashin", "cashout", "cashin_legacy"],
  subscriptions: [
    "assinatura_criada",
    "assinatura_ativada",
    "assinatura_renovada",
    "assinatura_em_atraso",
    "assinatura_suspensa",
    "assinatura_reativada",
    "assinatura_cancelada",
    "assinatura_expirada",
    "assinatura_plano_alterado",
  ],
  charges: ["cobranca_gerada", "cobranca_paga", "cobranca_falhou", "cobranca_retentativa"],
  mandates: ["mandato_ativado", "mandato_cancelado"],
} as const satisfies Record<string, readonly WebhookEvent[]>;

const changes = (name: string) => [`${name}.updated`, `${name}.created`];
const cash = (name: string) => [`${name}.update`, `${name}.create`];

/** The names on the wire of what a webhook gets, the one most asked for first. */
export function namesOf(event: WebhookEvent): readonly string[] {
  if (event === "all") return [...cash("cashin"), ...cash("cashout")];
  if (event === "cashin" || event === "cashout") return cash(event);
  if (event === "cashin_legacy") return ["transaction.updated"];
  return (eventGroups.sales as readonly WebhookEvent[]).includes(event) ? changes(event) : [event];
}

export const groupNames = Object.keys(eventGroups) as (keyof typeof eventGroups)[];
