import { z } from "zod";
import { digitsOf, idOf } from "@/lib/ids";
import { log } from "@/lib/log";
import { centsOf, decimal } from "@/lib/money";
import type { Turn } from "@/lib/outside/budget";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { answered, bacenClient, isUnknown, refusalOf } from "@/lib/rails/pix/bacen/client";
import { pagePath } from "@/lib/rails/pix/bacen/pages";
import { timeOf } from "@/lib/rails/pix/bacen/paid";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { cut } from "@/lib/rails/pix/cut";
import type { Payout, PayoutAnswer, PayoutOrder, PixPayouts } from "@/lib/rails/pix/payouts";
import type { PixCallback } from "@/lib/rails/pix/port";

/**
 * Payouts over Efí (dev.efipay.com.br/docs/api-pix/envio-pagamento-pix), which knows each by our id and refuses a second one under
 * it. It has no look-up of keys: it compares the document with the key's owner when it sends.
 */
export function efiPayouts(provider: string, settings: () => BacenSettings, connectedAt: () => Date): PixPayouts {
  // Money is sent by the third version of its API and read by the second, so that paths begin with the version.
  const ask = bacenClient(provider, () => {
    const at = settings();
    return { ...at, base_url: at.base_url.replace(/\/v\d+$/, "") };
  });

  async function findPayout(id: string, asked: { signal: AbortSignal } | { turn: Turn }): Promise<Payout | null> {
    const answer = await ask(`/v2/gn/pix/enviados/id-envio/${digitsOf(id)}`, asked);
    if (isUnknown(answer)) return null;
    const payout = payoutOf(answered(Sent, answer));
    if (digitsOf(payout.id) !== digitsOf(id)) throw new Error("The PSP answered about another payout");
    return payout;
  }

  async function pageOf(since: Date, until: Date, page: number) {
    const path = pagePath("/v2/gn/pix/enviados", since, until, page);
    return answered(Page, await ask(path, { timeoutMs: timeouts.callMs, turn: "list" }));
  }

  return {
    lostAfterMs: null, // nothing is said of how soon what was sent can be read

    async sendPayout(order) {
      const signal = AbortSignal.timeout(timeouts.callMs);
      const body = bodyOf(order, settings().pix_key);
      const path = `/v3/gn/pix/${digitsOf(order.id)}`;
      const answer = await ask(path, { method: "PUT", body, signal });
      const refusal = refusalOf(answer);
      if (answer.status === UNREACHED || refusal?.isForNow) return { status: "lost" };
      if (!refusal) return answerOf(answered(Made, answer));
      const earlier = await findPayout(order.id, { signal });
      if (earlier) return earlier.answer;
      if (answer.status === DUPLICATE) throw new Error("The PSP has a payout of this id and does not find it");
      return { status: "failed", reason: refusal.reason };
    },

    findPayout: (id, turn) => findPayout(id, turn ? { turn } : { signal: AbortSignal.timeout(timeouts.findMs) }),

    /**
     * Efí lists payouts by when they were asked for, so each is dated by that, and those asked for shortly before `since` are
     * among them. What comes back of one later than that is known by its callback, or when all of some days is read again.
     */
    async *payoutsChangedWithin(since, until) {
      const begin = Math.max(since.getTime() - CHANGES_WITHIN_MS, connectedAt().getTime());
      for (let from = begin; from <= until.getTime(); from += SLICE_MS) {
        const to = new Date(Math.min(from + SLICE_MS, until.getTime()));
        const sent: Sent[] = [];
        for (let page = 0, pages = 1; page < pages; page += 1) {
          const { parametros, pix } = await pageOf(new Date(from), to, page);
          pages = parametros.paginacao.quantidadeDePaginas;
          sent.push(...pix.flatMap(readable));
        }
        const payouts = sent.filter((one) => lastTimeOf(one) <= until.getTime()).map(payoutOf);
        yield* payouts.sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime());
      }
    },
  };
}

const SLICE_MS = 6 * 3_600_000;
/** Within which time most payouts end and most of what comes back is back. */
const CHANGES_WITHIN_MS = 3_600_000;
const DUPLICATE = 409;

/** The callback about a payout, among those about payments. Null for another one. */
export function efiPayoutIn(one: unknown): PixCallback | null {
  const { data } = Reported.safeParse(one);
  if (!data) return null;
  const { status, devolucoes = [], gnExtras } = data;
  const id = idOf(gnExtras.idEnvio) ?? gnExtras.idEnvio;
  const back = devolucoes.map(({ rtrId }) => rtrId).join("_");
  return { eventId: `payout_${id}_${status}${back && `_${back}`}`, kind: "payout", id, payload: { id, status } };
}

const status = z.enum(["EM_PROCESSAMENTO", "REALIZADO", "NAO_REALIZADO"]);
/** Its ids of test payments are shorter than the standard's. */
const endToEndId = z.string().regex(/^E[a-zA-Z0-9]{20,31}$/);
const time = z
  .string()
  .transform(timeOf)
  .refine((at) => !Number.isNaN(at.getTime()));
const valor = z.string().regex(/^\d{1,10}\.\d{2}$/);

/** The answer of the call names the end-to-end id in one of two ways. */
const Made = z.object({
  ...{ idEnvio: z.string(), status, endToEndId: endToEndId.optional(), e2eId: endToEndId.optional() },
  horario: z.object({ solicitacao: time, liquidacao: time.nullish() }),
});
type Made = z.infer<typeof Made>;

const Sent = Made.extend({
  valor,
  devolucoes: z
    .array(z.object({ rtrId: z.string().min(1), valor, horario: z.union([time, z.object({ solicitacao: time })]) }))
    .optional(),
  gnExtras: z
    .object({ erro: z.object({ motivo: z.string() }).optional() })
    .optional()
    .catch(undefined),
});
type Sent = z.infer<typeof Sent>;

const Page = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().min(0) }) }),
  pix: z.array(z.unknown()),
});

/** One payout of a list. What was sent otherwise than by us may have no id of ours, and holds up no other. */
function readable(one: unknown): Sent[] {
  const { data } = Sent.safeParse(one);
  if (!data) log.warn("a PSP's list has a payout that cannot be read");
  return data ? [data] : [];
}

const Reported = z.object({
  ...{ tipo: z.string(), status, gnExtras: z.object({ idEnvio: z.string().min(1) }) },
  devolucoes: z.array(z.object({ rtrId: z.string() })).optional(),
});

function bodyOf({ key, amount, document, description }: PayoutOrder, payer: string) {
  const about = description ? { infoPagador: cut(description, 140) } : {};
  const owner = document.length === 11 ? { cpf: document } : { cnpj: document };
  return { valor: decimal(amount), pagador: { chave: payer, ...about }, favorecido: { chave: key, ...owner } };
}

function payoutOf({ idEnvio, valor, devolucoes = [], ...sent }: Sent): Payout {
  return {
    ...{ id: idOf(idEnvio) ?? idEnvio, amount: cents(valor), answer: answerOf({ idEnvio, ...sent }) },
    returns: devolucoes.map(({ rtrId, valor, horario }) => ({
      ...{ returnId: rtrId, amount: cents(valor), returnedAt: timeIn(horario) },
    })),
    changedAt: sent.horario.solicitacao,
  };
}

function answerOf({ status, endToEndId, e2eId, horario, gnExtras }: Made & Pick<Sent, "gnExtras">): PayoutAnswer {
  if (status === "EM_PROCESSAMENTO") return { status: "accepted" };
  if (status === "NAO_REALIZADO") return { status: "failed", reason: gnExtras?.erro?.motivo ?? null };
  const id = endToEndId ?? e2eId;
  if (!id) throw new Error("The PSP named no end-to-end id of a payout that was paid");
  return { status: "paid", endToEndId: id, paidAt: horario.liquidacao ?? horario.solicitacao };
}

/** When the last of what is said of a payout happened. */
const lastTimeOf = ({ horario: { solicitacao, liquidacao }, devolucoes = [] }: Sent) =>
  Math.max(
    ...[solicitacao, liquidacao ?? solicitacao, ...devolucoes.map(({ horario }) => timeIn(horario))].map(Number),
  );

const timeIn = (horario: Date | { solicitacao: Date }) => (horario instanceof Date ? horario : horario.solicitacao);

function cents(valor: string): number {
  const found = centsOf(valor);
  if (!found) throw new Error("The PSP answered with a malformed amount");
  return found;
}
