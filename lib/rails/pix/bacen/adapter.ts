import { z } from "zod";
import { log } from "@/lib/log";
import { centsOf, decimal } from "@/lib/money";
import { isInNetworks, networks } from "@/lib/net/address";
import type { Turn } from "@/lib/outside/budget";
import type { Lost } from "@/lib/outside/calls";
import { type Answer, TOO_MANY, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { bacenAutomatic } from "@/lib/rails/pix/bacen/automatic";
import { callbacksIn } from "@/lib/rails/pix/bacen/callbacks";
import {
  admit,
  answered,
  bacenClient,
  type Client,
  done,
  isUnknown,
  refusalOf,
  withoutNulls,
} from "@/lib/rails/pix/bacen/client";
import { bacenDisputes } from "@/lib/rails/pix/bacen/disputes";
import { efiPayoutIn, efiPayouts } from "@/lib/rails/pix/bacen/efi-payouts";
import { listReceived } from "@/lib/rails/pix/bacen/listed";
import { isOfOthers } from "@/lib/rails/pix/bacen/others";
import { slicesOf } from "@/lib/rails/pix/bacen/pages";
import { Paid, timeOf } from "@/lib/rails/pix/bacen/paid";
import { profiles } from "@/lib/rails/pix/bacen/profiles";
import { CobCompleta, Devolucao, WebhookCompleto } from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { cut } from "@/lib/rails/pix/cut";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import type { DynamicCodes, Issued, PixRail } from "@/lib/rails/pix/port";
import type { Payer, Receipt } from "@/lib/rails/pix/receipt";
import { isSameSecret } from "@/lib/rails/same-secret";
import type { SentBack } from "@/lib/rails/sent-back";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/**
 * The port over a PSP that speaks the Central Bank's API Pix 2.9.0. The standard lists payments in no order and has no
 * payouts and no look-up of keys. What the PSP did before it was connected is no business of ours.
 */
export function bacen(
  provider: string,
  settings: () => BacenSettings,
  connectedAt: () => Date,
): PixRail & DynamicCodes {
  const ask = bacenClient(provider, settings);
  const profile = () => profiles[settings().profile];
  const automatic = bacenAutomatic(ask, settings);
  const payouts = { efi: efiPayouts(provider, settings, connectedAt) };
  return {
    provider,

    get automatic() {
      return settings().account ? automatic : undefined;
    },

    get payouts() {
      const { payouts: name } = profile();
      return name && payouts[name];
    },

    admitCode: (accountId) => admit(provider, settings(), { codeOf: accountId }),

    async requestCode({ accountId, txid, amount, validMs, description, due, isAdmitted = false }) {
      const [signal, turn] = [AbortSignal.timeout(timeouts.callMs), { codeOf: accountId }];
      const asked = { signal, turn, method: "PUT" } as const;
      const charge = {
        valor: { original: decimal(amount) },
        chave: settings().pix_key,
        ...(description && { solicitacaoPagador: cut(description, 140) }),
      };
      if (due) {
        const answer = await ask(`/cobv/${txid}`, { ...asked, body: { ...charge, ...datesOf(due) } });
        if (isHeldBack(answer)) return lost(answer);
        // A PSP may have no charges with a due day, or not for this client: it is asked for one without.
        if (!refusalOf(answer)) return codeIn(answer, { txid, amount }) ?? lost(answer);
      }
      const body = { ...charge, calendario: { expiracao: Math.round(validMs / 1_000) } };
      const answer = await ask(`/cob/${txid}`, { ...asked, body, isAdmitted });
      if (isHeldBack(answer)) return lost(answer);
      if (!refusalOf(answer)) return codeIn(answer, { txid, amount }) ?? lost(answer);
      // A request that arrived twice is refused the second time.
      const made = await ask(`/cob/${txid}`, { signal: asked.signal, isAdmitted });
      const isMade = !isUnknown(made) && !refusalOf(made) && !isHeldBack(made);
      return (isMade && codeIn(made, { txid, amount })) || lost(answer);
    },

    async findCode({ txid, amount }) {
      const signal = AbortSignal.timeout(timeouts.findMs);
      const cob = await ask(`/cob/${txid}`, { signal });
      if (!isUnknown(cob)) return codeIn(cob, { txid, amount });
      const cobv = await ask(`/cobv/${txid}`, { signal });
      // A client that may not read charges with a due day has shown nobody the code of one.
      const isNone = isUnknown(cobv) || (cobv.status === FORBIDDEN && refusalOf(cobv));
      return isNone ? null : codeIn(cobv, { txid, amount });
    },

    verifyCallback({ secret, from, isCertified, rawBody }) {
      const { callback_secret, former_callback: former, callback_networks, callback_certificate } = settings();
      const isFormer = former && new Date(former.until) > realNow() && isSameSecret(secret, former.secret);
      if (!isFormer && !isSameSecret(secret, callback_secret)) return null;
      if (callback_networks && !isInNetworks(from, networks(callback_networks))) return null;
      if (callback_certificate && !isCertified) return null;
      return callbacksIn(withoutNulls(JSON.parse(rawBody)), profile().payouts && efiPayoutIn);
    },

    async received(endToEndId, turn) {
      if (!END_TO_END_ID.test(endToEndId)) return null;
      const answer = await ask(`/pix/${endToEndId}`, { ...(turn && { turn }) });
      if (isUnknown(answer)) return null;
      const pix = answered(PaidPix, answer);
      if (isOfOthers(pix, settings())) return null;
      const receipt = receiptOf(pix);
      if (receipt.endToEndId !== endToEndId) throw new Error("The PSP answered about another payment");
      return receipt;
    },

    async *receivedWithin(since, until) {
      const from = new Date(Math.max(since.getTime(), connectedAt().getTime()));
      if (from > until) return;
      const read = (one: unknown) => readable(one, settings());
      for await (const slice of slicesOf(ask, from, until, read)) yield* slice;
    },

    async *listReceived(since, until, which, unreadable) {
      const from = new Date(Math.max(since.getTime(), connectedAt().getTime()));
      if (from <= until) yield* listReceived(ask, settings, [from, until], which, unreadable);
    },

    async sendBack({ endToEndId, id, amount, isRepeat = false }) {
      const body = { valor: decimal(amount) };
      const signal = AbortSignal.timeout(timeouts.callMs);
      const answer = await ask(pathOf(endToEndId, id), { method: "PUT", body, signal });
      const refusal = refusalOf(answer);
      if (answer.status === UNREACHED || refusal?.isForNow) return { status: "lost" };
      if (!refusal) return sentBackOf(answer, { id, amount });
      const earlier = await findSentBack(ask, { endToEndId, id, amount }, { signal });
      if (earlier) return earlier;
      // The standard refuses an id that it has, so one that it has taken before may be found later.
      if (isRepeat) throw new Error("The PSP refuses a return that was asked for before, and does not find it");
      return { status: "failed", reason: refusal.reason };
    },

    findSentBack: (refund, turn) => findSentBack(ask, refund, turn && { turn }),

    disputes: bacenDisputes(ask, connectedAt),

    async callBackAt(webhookUrl) {
      const signal = AbortSignal.timeout(timeouts.callMs);
      const { webhookHeaders: headers = {} } = profile();
      for (const path of callbackPaths()) {
        if (await callsBackOf(path, webhookUrl, signal)) continue;
        done(await ask(path, { method: "PUT", body: { webhookUrl }, headers, signal }));
      }
    },

    async callsBackAt(webhookUrl) {
      const signal = AbortSignal.timeout(timeouts.findMs);
      for (const path of callbackPaths()) if (!(await callsBackOf(path, webhookUrl, signal))) return false;
      return true;
    },
  };

  /** Where the PSP keeps our addresses: of payments, and of what its account's mandates and debits become. */
  function callbackPaths(): string[] {
    const { pix_key, account } = settings();
    const { webhookKey = (key) => key } = profile();
    return [`/webhook/${encodeURIComponent(webhookKey(pix_key))}`, ...(account ? ["/webhookrec", "/webhookcobr"] : [])];
  }
  async function callsBackOf(path: string, webhookUrl: string, signal: AbortSignal): Promise<boolean> {
    const present = await ask(path, { signal });
    return !isUnknown(present) && answered(Webhook, present).webhookUrl === webhookUrl;
  }
}

/** Whether a request was surely not served, because it was not sent, or came too soon after others. */
const isHeldBack = ({ status }: Answer) => status === UNREACHED || status === TOO_MANY;
const lost = ({ retryAfterMs }: Answer): Lost => ({
  status: "lost",
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

const FORBIDDEN = 403;

/** What is read of a charge, with a due day or without. */
const Charge = CobCompleta.pick({ txid: true, valor: true, status: true, pixCopiaECola: true });

/** What a charge with a due day says beyond its amount. */
function datesOf({ day, lastDay, debtor }: NonNullable<Parameters<DynamicCodes["requestCode"]>[0]["due"]>) {
  const { name, document } = debtor;
  const nome = cut(name, 200);
  return {
    calendario: { dataDeVencimento: day, validadeAposVencimento: (Date.parse(lastDay) - Date.parse(day)) / DAY_MS },
    devedor: document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome },
  };
}

/**
 * The code of a charge; null where the charge was removed, so that nobody can pay it. Throws for another charge, and where the PSP
 * gives no code: its location alone is none.
 */
function codeIn(answer: Answer, asked: { txid: string; amount: number }): Issued | null {
  const { txid, valor, status, pixCopiaECola } = answered(Charge, answer);
  if (txid !== asked.txid || centsOf(valor.original) !== asked.amount)
    throw new Error("The PSP answered about another charge");
  if (status.startsWith("REMOVIDA_")) return null;
  if (!pixCopiaECola) throw new Error("The PSP gave no code");
  return { status: "issued", code: pixCopiaECola };
}

const pathOf = (endToEndId: string, id: string) => `/pix/${endToEndId}/devolucao/${id}`;

async function findSentBack(
  ask: Client,
  { endToEndId, id, amount }: { endToEndId: string; id: string; amount?: number },
  asked: { signal: AbortSignal } | { turn: Turn } = { signal: AbortSignal.timeout(timeouts.findMs) },
) {
  const answer = await ask(pathOf(endToEndId, id), asked);
  return isUnknown(answer) ? null : sentBackOf(answer, { id, amount });
}

/** What is read of a return. One that is under way may have no id of the Pix yet. */
const Return = Devolucao.pick({ id: true, valor: true, status: true, motivo: true, rtrId: true }).partial({
  rtrId: true,
});

function sentBackOf(answer: Answer, asked: { id: string; amount?: number | undefined }): SentBack {
  const { id, valor, status, motivo, rtrId } = answered(Return, answer);
  const isAsked = id === asked.id && (asked.amount === undefined || centsOf(valor) === asked.amount);
  if (!isAsked) throw new Error("The PSP answered about another return");
  if (status === "EM_PROCESSAMENTO") return { status: "accepted" };
  if (status === "NAO_REALIZADO") return { status: "failed", reason: motivo ?? null };
  if (!rtrId) throw new Error("The PSP named no id of a return that was made");
  return { status: "completed", returnId: rtrId };
}

/** Of a webhook only its address is of use, and some PSPs answer with less than the standard says. */
const Webhook = WebhookCompleto.pick({ webhookUrl: true });

const PayerTold = z.object({
  nome: z.string().optional(),
  cpf: z.string().optional(),
  cnpj: z.string().optional(),
  cpfCnpj: z.string().optional(),
});
/** The standard names no payer of a payment, and some PSPs do: in it, or among what they add. */
const told = {
  pagador: PayerTold.optional().catch(undefined),
  gnExtras: z.object({ pagador: PayerTold.optional() }).optional().catch(undefined),
};
const PaidPix = Paid.extend(told);
type PaidPix = z.infer<typeof PaidPix>;

/** Who paid, as far as the PSP says it; a document that it masks is none. The bank stands in the end-to-end id. */
function payerOf({ endToEndId, pagador, gnExtras }: PaidPix): Payer {
  const { nome, cpf, cnpj, cpfCnpj } = gnExtras?.pagador ?? pagador ?? {};
  const document = (cpf ?? cnpj ?? cpfCnpj)?.replace(/[./-]/g, "") ?? "";
  const isWhole = /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(document);
  return { name: nome || null, document: isWhole ? document : null, ispb: endToEndId.slice(1, 9) };
}

/** One payment of a list. One that cannot be read holds up no other, and is for a person to look at. */
function readable(one: unknown, settings: BacenSettings): Receipt[] {
  const { data } = PaidPix.safeParse(one);
  try {
    if (data) return isOfOthers(data, settings) ? [] : [receiptOf(data)];
  } catch {} // said below
  log.error({ endToEndId: data?.endToEndId }, "a PSP's list has a payment that cannot be read");
  return [];
}

function receiptOf(pix: PaidPix): Receipt {
  const { endToEndId, txid, valor, horario } = pix;
  const [amount, paidAt] = [centsOf(valor), timeOf(horario)];
  if (!amount || !END_TO_END_ID.test(endToEndId) || Number.isNaN(paidAt.getTime()))
    throw new Error("The PSP answered with a malformed payment");
  return { endToEndId, txid: txid ?? "***", amount, payer: payerOf(pix), paidAt };
}
