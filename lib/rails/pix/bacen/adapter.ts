import { centsOf, decimal } from "@/lib/money";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { callbacksIn } from "@/lib/rails/pix/bacen/callbacks";
import { answered, bacenClient, type Client, done, isUnknown, refusalOf } from "@/lib/rails/pix/bacen/client";
import {
  CobCompleta,
  CobGerada,
  Devolucao,
  Pix,
  PixConsultados,
  WebhookCompleto,
} from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import type { DynamicCodes, Issued, PixRail } from "@/lib/rails/pix/port";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { isSameSecret } from "@/lib/rails/same-secret";
import type { SentBack } from "@/lib/rails/sent-back";

/**
 * The port over a PSP that speaks the Central Bank's API Pix 2.9.0. The standard lists payments in no order and has no
 * payouts, no look-up of keys and no disputes.
 */
export function bacen(provider: string, settings: () => BacenSettings): PixRail & DynamicCodes {
  const ask = bacenClient(provider, settings);
  return {
    provider,

    async requestCode({ txid, amount, validMs, description }) {
      const body = {
        calendario: { expiracao: Math.round(validMs / 1_000) },
        valor: { original: decimal(amount) },
        chave: settings().pix_key,
        ...(description && { solicitacaoPagador: cut(description) }),
      };
      const answer = await ask(`/cob/${txid}`, { method: "PUT", body, timeoutMs: timeouts.callMs });
      if (answer.status === UNREACHED || refusalOf(answer)) return { status: "lost" };
      return issuedOf(answered(CobGerada, answer), { txid, amount });
    },

    async findCode({ txid, amount }) {
      const answer = await ask(`/cob/${txid}`);
      return isUnknown(answer) ? null : issuedOf(answered(CobCompleta, answer), { txid, amount });
    },

    verifyCallback({ secret, rawBody }) {
      return isSameSecret(secret, settings().callback_secret) ? callbacksIn(JSON.parse(rawBody)) : null;
    },

    async received(endToEndId) {
      if (!END_TO_END_ID.test(endToEndId)) return null;
      const answer = await ask(`/pix/${endToEndId}`);
      if (isUnknown(answer)) return null;
      const receipt = receiptOf(answered(Pix, answer));
      if (receipt.endToEndId !== endToEndId) throw new Error("The PSP answered about another payment");
      return receipt;
    },

    async *receivedWithin(since, until) {
      for await (const slice of slicesOf(ask, since, until)) yield* slice;
    },

    async sendBack({ endToEndId, id, amount }) {
      const body = { valor: decimal(amount) };
      const answer = await ask(pathOf(endToEndId, id), { method: "PUT", body, timeoutMs: timeouts.callMs });
      const refusal = refusalOf(answer);
      if (answer.status === UNREACHED || refusal?.isForNow) return { status: "lost" };
      if (!refusal) return sentBackOf(answered(Devolucao, answer), { id, amount });
      const earlier = await findSentBack(ask, { endToEndId, id, amount });
      return earlier ?? { status: "failed", reason: refusal.reason };
    },

    findSentBack: (refund) => findSentBack(ask, refund),

    async callBackAt(webhookUrl) {
      if (await callsBackAt(webhookUrl)) return;
      done(await ask(webhookPath(), { method: "PUT", body: { webhookUrl }, timeoutMs: timeouts.callMs }));
    },

    callsBackAt,
  };

  async function callsBackAt(webhookUrl: string): Promise<boolean> {
    const present = await ask(webhookPath());
    return !isUnknown(present) && answered(WebhookCompleto, present).webhookUrl === webhookUrl;
  }
  function webhookPath() {
    return `/webhook/${encodeURIComponent(settings().pix_key)}`;
  }
}

const cut = (text: string) => [...text].slice(0, 140).join("");

/** The code of a charge. Throws for another charge, and where the PSP gives none: its location alone is no code. */
function issuedOf({ txid, valor, pixCopiaECola }: CobGerada, asked: { txid: string; amount: number }): Issued {
  if (txid !== asked.txid || centsOf(valor.original) !== asked.amount)
    throw new Error("The PSP answered about another charge");
  if (!pixCopiaECola) throw new Error("The PSP gave no code");
  return { status: "issued", code: pixCopiaECola };
}

const pathOf = (endToEndId: string, id: string) => `/pix/${endToEndId}/devolucao/${id}`;

async function findSentBack(
  ask: Client,
  { endToEndId, id, amount }: { endToEndId: string; id: string; amount?: number },
) {
  const answer = await ask(pathOf(endToEndId, id));
  return isUnknown(answer) ? null : sentBackOf(answered(Devolucao, answer), { id, amount });
}

function sentBackOf(devolucao: Devolucao, asked: { id: string; amount?: number | undefined }): SentBack {
  const isAsked =
    devolucao.id === asked.id && (asked.amount === undefined || centsOf(devolucao.valor) === asked.amount);
  if (!isAsked) throw new Error("The PSP answered about another return");
  if (devolucao.status === "EM_PROCESSAMENTO") return { status: "accepted" };
  if (devolucao.status === "DEVOLVIDO") return { status: "completed", returnId: devolucao.rtrId };
  return { status: "failed", reason: devolucao.motivo ?? null };
}

/** The standard names no payer of a payment, but its bank, in the end-to-end id. */
function receiptOf({ endToEndId, txid, valor, horario }: Pix): Receipt {
  const [amount, paidAt] = [centsOf(valor), new Date(horario)];
  if (!amount || !END_TO_END_ID.test(endToEndId) || Number.isNaN(paidAt.getTime()))
    throw new Error("The PSP answered with a malformed payment");
  const payer = { name: null, document: null, ispb: endToEndId.slice(1, 9) };
  return { endToEndId, txid: txid ?? "***", amount, payer, paidAt };
}

/** The largest page of the standard. */
const PAGE = 1_000;
/** A window with more payments is read in halves, because what is read must be put in order. */
const MAX_IN_SLICE = 5_000;

/** Payments of a window, oldest first, in parts; one at the border of two halves is in both. */
async function* slicesOf(ask: Client, since: Date, until: Date): AsyncGenerator<Receipt[]> {
  const first = await pageOf(ask, since, until, 0);
  const lengthMs = until.getTime() - since.getTime();
  if (first.total > MAX_IN_SLICE && lengthMs > 1) {
    const middle = new Date(since.getTime() + Math.floor(lengthMs / 2));
    yield* slicesOf(ask, since, middle);
    yield* slicesOf(ask, middle, until);
    return;
  }
  const receipts = [...first.receipts];
  for (let page = 1; page < first.pages; page += 1) receipts.push(...(await pageOf(ask, since, until, page)).receipts);
  yield receipts.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
}

async function pageOf(ask: Client, since: Date, until: Date, page: number) {
  const query = new URLSearchParams({
    ...{ inicio: since.toISOString(), fim: until.toISOString() },
    ...{ "paginacao.paginaAtual": String(page), "paginacao.itensPorPagina": String(PAGE) },
  });
  const { parametros, pix = [] } = answered(PixConsultados, await ask(`/pix?${query}`, { timeoutMs: timeouts.callMs }));
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total } = parametros.paginacao;
  return { pages, total, receipts: pix.map(receiptOf) };
}
