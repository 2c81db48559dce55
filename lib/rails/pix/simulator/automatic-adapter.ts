import { z } from "zod";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import type { AutomaticPix, MandateOffer } from "@/lib/rails/pix/automatic";
import { type AutomaticPsp, automaticVerbs, offeredOf, segment } from "@/lib/rails/pix/automatic-verbs";
import {
  attemptKind,
  attemptStatus,
  cobOf,
  debitStatus,
  isCobOf,
  isOfferOf,
  mandateStatus,
  type Rec,
  recOf,
} from "@/lib/rails/pix/automatic-words";
import { NOW_HEADER, PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { answered, ask } from "@/lib/rails/pix/simulator/ask";

const psp: AutomaticPsp = {
  ask: (path, { at, ...asked }) => ask(path, { ...asked, ...(at && { headers: now(at) }) }),
  refusalOf,
  isLost: ({ status }) => status === UNREACHED,
  isUnknown: ({ status, json }) => status === 404 && Unknown.safeParse(json).success,
  recIn: (answer) => RecAnswer.parse(answered(answer)),
  cobrIn: (answer) => CobrAnswer.parse(answered(answer)),
};

/** The port over the simulated PSP, which speaks the words of the Central Bank's API Pix 2.9.0: rec, cob and cobr. */
export const automatic: AutomaticPix = {
  async offerMandate(offer) {
    const { first, at } = offer;
    const call = { signal: AbortSignal.timeout(timeouts.callMs), at };
    if (first) {
      const path = `/cob/${segment(first.txid)}`;
      const answer = await psp.ask(path, { ...call, method: "PUT", body: cobOf(first, PIX_KEY) });
      if (psp.isLost(answer)) return { status: "lost" };
      const refusal = refusalOf(answer);
      if (refusal && !isChargeOf(first, await psp.ask(path, call))) return refusal;
      if (!refusal) answered(answer);
    }
    const { merchantName: nome, merchantCity: cidade } = offer;
    const body = { ...recOf(offer), recebedor: { nome, cidade } };
    const answer = await psp.ask("/rec", { ...call, method: "POST", body });
    if (psp.isLost(answer)) return { status: "lost" };
    const refusal = refusalOf(answer);
    if (!refusal) return offeredOf(psp, psp.recIn(answer), call);
    const earlier = await recUnder(offer.contract, call);
    return earlier && isOfferOf(offer, earlier) ? offeredOf(psp, earlier, call) : refusal;
  },

  async findMandate({ contract }) {
    const call = { signal: AbortSignal.timeout(timeouts.findMs) };
    const rec = await recUnder(contract, call);
    return rec ? offeredOf(psp, rec, call) : null;
  },

  ...automaticVerbs(psp),

  simulate: {
    authorise: (mandateId, payer) => play(mandateId, { action: "authorise", payer }),
    refuse: (mandateId) => play(mandateId, { action: "refuse" }),
    cancel: (mandateId) => play(mandateId, { action: "cancel" }),
    setAccount: (mandateId, account) => play(mandateId, { account }),

    async passDays(mandateIds, at) {
      const changed = { mandateIds: [] as string[], txids: [] as string[] };
      for (let from = 0; from < mandateIds.length; from += DAYS_LIMIT) {
        const body = { recs: mandateIds.slice(from, from + DAYS_LIMIT) };
        const answer = await ask("/days", { headers: now(at), method: "POST", body });
        const { recs, cobsr } = Changed.parse(answered(answer));
        changed.mandateIds.push(...recs);
        changed.txids.push(...cobsr);
      }
      return changed;
    },
  },
};

/** How many mandates the PSP takes in one request. */
const DAYS_LIMIT = 100;

const keys = <T extends string>(words: Record<T, unknown>) => z.enum(Object.keys(words) as [T, ...T[]]);

const Ended = z.object({
  cancelamento: z.object({ solicitante: z.string(), codigo: z.string() }).optional(),
  rejeicao: z.object({ codigo: z.string() }).optional(),
});

const RecAnswer = z.object({
  idRec: z.string(),
  status: keys(mandateStatus),
  vinculo: z.object({
    contrato: z.string(),
    devedor: z.object({ cpf: z.string().optional(), cnpj: z.string().optional() }),
  }),
  calendario: z.object({ dataInicial: z.string(), periodicidade: z.string() }),
  valor: z.object({ valorRec: z.string().optional() }).optional(),
  ativacao: z.object({ dadosJornada: z.object({ txid: z.string() }).optional() }).optional(),
  dadosQR: z.object({ pixCopiaECola: z.string() }).optional(),
  encerramento: Ended.optional(),
});
const Recs = z.object({ recs: z.array(RecAnswer) });

const CobrAnswer = z.object({
  idRec: z.string(),
  txid: z.string(),
  status: keys(debitStatus),
  calendario: z.object({ dataDeVencimento: z.string() }),
  valor: z.object({ original: z.string() }),
  tentativas: z.array(
    z.object({
      dataLiquidacao: z.string(),
      tipo: keys(attemptKind),
      status: keys(attemptStatus),
      endToEndId: z.string(),
      rejeicao: z.object({ codigo: z.string() }).optional(),
    }),
  ),
  pix: z.array(z.object({ endToEndId: z.string() })).optional(),
  encerramento: Ended.optional(),
});

const Cob = z.object({ txid: z.string(), valor: z.object({ original: z.string() }) });
const Problem = z.object({ detail: z.string() }).or(z.object({ message: z.string() }));
const Unknown = z.object({ type: z.string().regex(/\/error\/(Rec|CobR)NaoEncontrad[ao]$/) });
const Changed = z.object({ recs: z.array(z.string()), cobsr: z.array(z.string()) });

type Answer = Awaited<ReturnType<typeof ask>>;

const now = (at: Date) => ({ [NOW_HEADER]: at.toISOString() });

/** An answer of another form is not from the PSP, so that nothing is known: it throws. */
function refusalOf({ status, json }: Answer) {
  if (status !== 400 && status !== 404 && status !== 422) return null;
  const problem = Problem.parse(json);
  return { status: "refused", reason: "detail" in problem ? problem.detail : problem.message } as const;
}

const isChargeOf = (first: NonNullable<MandateOffer["first"]>, { status, json }: Answer) =>
  status === 200 && isCobOf(first, Cob.parse(json));

async function recUnder(contract: string, call: { signal: AbortSignal }): Promise<Rec | undefined> {
  const { recs } = Recs.parse(answered(await ask(`/rec?contrato=${encodeURIComponent(contract)}`, call)));
  return recs.find(({ vinculo }) => vinculo.contrato === contract);
}

async function play(mandateId: string, body: object) {
  answered(await ask(`/rec/${segment(mandateId)}/payer`, { method: "POST", body }));
}
