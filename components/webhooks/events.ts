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

export const groupNames = Object.keys(eventGroups) as (keyof typeof eventGroups)[];
