import { z } from "zod";
import type { PeriodName } from "@/lib/methods/periods";
import { centsOf, decimal } from "@/lib/money";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import type {
  Attempt,
  AutomaticPix,
  Debit,
  DebitOrder,
  Mandate,
  MandateOffer,
  Offered,
  Refused,
  Side,
} from "@/lib/rails/pix/automatic";
import { NOW_HEADER, PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { answered, ask } from "@/lib/rails/pix/simulator/ask";

/** The port over the simulated PSP, which speaks the words of the Central Bank's API Pix 2.9.0: rec, cob and cobr. */
export const automatic: AutomaticPix = {
  async offerMandate(offer) {
    const { first, at } = offer;
    const call = { signal: AbortSignal.timeout(timeouts.callMs), headers: now(at) };
    if (first) {
      const answer = await ask(`/cob/${segment(first.txid)}`, { ...call, method: "PUT", body: cobOf(first) });
      if (answer.status === UNREACHED) return { status: "lost" };
      if (isRefusal(answer) && !isCobOf(first, await ask(`/cob/${segment(first.txid)}`, call)))
        return refusalOf(answer);
      if (!isRefusal(answer)) answered(answer);
    }
    const answer = await ask("/rec", { ...call, method: "POST", body: recOf(offer) });
    if (answer.status === UNREACHED) return { status: "lost" };
    if (!isRefusal(answer)) return offeredOf(Rec.parse(answered(answer)), call);
    const earlier = await recUnder(offer.contract, call);
    return earlier && isOfferOf(offer, earlier) ? offeredOf(earlier, call) : refusalOf(answer);
  },

  async findMandate({ contract }) {
    const call = { signal: AbortSignal.timeout(timeouts.findMs) };
    const rec = await recUnder(contract, call);
    return rec ? offeredOf(rec, call) : null;
  },

  async readMandate(mandateId) {
    const rec = await readRec(mandateId);
    return rec && mandateOf(rec);
  },

  async cancelMandate(mandateId) {
    const answer = await ask(`/rec/${segment(mandateId)}`, { ...within(), method: "PATCH", body: CANCEL });
    if (!isRefusal(answer)) return mandateOf(Rec.parse(answered(answer)));
    const rec = await readRec(mandateId);
    return rec?.status === "CANCELADA" ? mandateOf(rec) : refusalOf(answer);
  },

  async instructDebit(order) {
    const { txid, at } = order;
    const call = { signal: AbortSignal.timeout(timeouts.callMs), headers: now(at) };
    const answer = await ask(`/cobr/${segment(txid)}`, { ...call, method: "PUT", body: cobrOf(order) });
    if (answer.status === UNREACHED) return { status: "lost" };
    if (!isRefusal(answer)) return debitOf(Cobr.parse(answered(answer)));
    const earlier = await readCobr(txid);
    return earlier && isDebitOf(order, earlier) ? debitOf(earlier) : refusalOf(answer);
  },

  async readDebit(txid) {
    const cobr = await readCobr(txid);
    return cobr && debitOf(cobr);
  },

  async cancelDebit({ txid, at }) {
    const answer = await ask(`/cobr/${segment(txid)}`, { ...within(at), method: "PATCH", body: CANCEL });
    if (!isRefusal(answer)) return debitOf(Cobr.parse(answered(answer)));
    const cobr = await readCobr(txid);
    return cobr?.status === "CANCELADA" ? debitOf(cobr) : refusalOf(answer);
  },

  async retryDebit({ txid, date, at }) {
    const path = `/cobr/${segment(txid)}/retentativa/${segment(date)}`;
    const answer = await ask(path, { ...within(at), method: "POST", body: {} });
    if (!isRefusal(answer)) return debitOf(Cobr.parse(answered(answer)));
    const cobr = await readCobr(txid);
    const isAsked = cobr?.tentativas.some(({ tipo, dataLiquidacao }) => tipo === "NTAG" && dataLiquidacao === date);
    return cobr && isAsked ? debitOf(cobr) : refusalOf(answer);
  },

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

const CANCEL = { status: "CANCELADA" };

const periodicity: Record<PeriodName, string> = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  semiannual: "SEMESTRAL",
  annual: "ANUAL",
};

const Ended = z.object({
  cancelamento: z.object({ solicitante: z.string(), codigo: z.string() }).optional(),
  rejeicao: z.object({ codigo: z.string() }).optional(),
});

const Rec = z.object({
  idRec: z.string(),
  status: z.enum(["CRIADA", "APROVADA", "REJEITADA", "EXPIRADA", "CANCELADA"]),
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
type Rec = z.infer<typeof Rec>;
const Recs = z.object({ recs: z.array(Rec) });

const Cobr = z.object({
  idRec: z.string(),
  txid: z.string(),
  status: z.enum(["CRIADA", "ATIVA", "CONCLUIDA", "EXPIRADA", "REJEITADA", "CANCELADA"]),
  calendario: z.object({ dataDeVencimento: z.string() }),
  valor: z.object({ original: z.string() }),
  tentativas: z.array(
    z.object({
      dataLiquidacao: z.string(),
      tipo: z.enum(["AGND", "NTAG", "RIFL"]),
      status: z.enum(["SOLICITADA", "AGENDADA", "PAGA", "CANCELADA", "REJEITADA", "EXPIRADA"]),
      rejeicao: z.object({ codigo: z.string() }).optional(),
    }),
  ),
  pix: z.array(z.object({ endToEndId: z.string() })).optional(),
  encerramento: Ended.optional(),
});
type Cobr = z.infer<typeof Cobr>;

const Cob = z.object({ txid: z.string(), valor: z.object({ original: z.string() }) });
const Problem = z.object({ detail: z.string() }).or(z.object({ message: z.string() }));
const Unknown = z.object({ type: z.string().regex(/\/error\/(Rec|CobR)NaoEncontrad[ao]$/) });
const Changed = z.object({ recs: z.array(z.string()), cobsr: z.array(z.string()) });

type Answer = Awaited<ReturnType<typeof ask>>;
type Call = { signal: AbortSignal; headers?: Record<string, string> };
type First = NonNullable<MandateOffer["first"]>;

const now = (at: Date) => ({ [NOW_HEADER]: at.toISOString() });
const within = (at?: Date): Call => ({ signal: AbortSignal.timeout(timeouts.findMs), ...(at && { headers: now(at) }) });
/** The first characters of a text, none of them halved. */
const cut = (text: string, length: number) => [...text].slice(0, length).join("");

/** A part of a path. The PSP knows no id of another form, and "-" is none. */
const segment = (text: string) => (/^[\w-]+$/.test(text) ? text : "-");

const isRefusal = ({ status }: Answer) => status === 400 || status === 404 || status === 422;

/** Whether the PSP itself says that it has no such record: another server may answer 404 too. */
const isUnknown = ({ status, json }: Answer) => status === 404 && Unknown.safeParse(json).success;

/** Why the PSP did not do it. An answer of another form is not from the PSP, so that nothing is known. */
function refusalOf({ json }: Answer): Refused {
  const problem = Problem.parse(json);
  return { status: "refused", reason: "detail" in problem ? problem.detail : problem.message };
}

const cobOf = ({ amount, validMs }: First) => ({
  calendario: { expiracao: Math.round(validMs / 1000) },
  valor: { original: decimal(amount) },
  chave: PIX_KEY,
});

const isCobOf = ({ amount }: First, { status, json }: Answer) =>
  status === 200 && Cob.parse(json).valor.original === decimal(amount);

function recOf({
  contract,
  period,
  firstDate,
  amount,
  description,
  debtor,
  merchantName,
  merchantCity,
  first,
}: MandateOffer) {
  const { name: nome, document } = debtor;
  return {
    vinculo: {
      contrato: contract,
      ...(description && { objeto: cut(description, 35) }),
      devedor: document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome },
    },
    calendario: { dataInicial: firstDate, periodicidade: periodicity[period] },
    ...(amount !== null && { valor: { valorRec: decimal(amount) } }),
    politicaRetentativa: "PERMITE_3R_7D",
    recebedor: { nome: merchantName, cidade: merchantCity },
    ...(first && { ativacao: { dadosJornada: { txid: first.txid } } }),
  };
}

/** Whether a mandate has the terms of this offer. */
function isOfferOf({ period, firstDate, amount, debtor, first }: MandateOffer, rec: Rec) {
  const { devedor } = rec.vinculo;
  return (
    rec.calendario.periodicidade === periodicity[period] &&
    rec.calendario.dataInicial === firstDate &&
    rec.valor?.valorRec === (amount === null ? undefined : decimal(amount)) &&
    (devedor.cpf ?? devedor.cnpj) === debtor.document &&
    rec.ativacao?.dadosJornada?.txid === first?.txid
  );
}

const cobrOf = ({ mandateId, amount, dueDate, description }: DebitOrder) => ({
  idRec: mandateId,
  calendario: { dataDeVencimento: dueDate },
  valor: { original: decimal(amount) },
  ajusteDiaUtil: false,
  ...(description && { infoAdicional: cut(description, 140) }),
});

const isDebitOf = ({ mandateId, amount, dueDate }: DebitOrder, { idRec, valor, calendario }: Cobr) =>
  idRec === mandateId && valor.original === decimal(amount) && calendario.dataDeVencimento === dueDate;

async function recUnder(contract: string, call: Call): Promise<Rec | undefined> {
  const { recs } = Recs.parse(answered(await ask(`/rec?contrato=${encodeURIComponent(contract)}`, call)));
  return recs.find(({ vinculo }) => vinculo.contrato === contract);
}

async function readRec(idRec: string): Promise<Rec | null> {
  const answer = await ask(`/rec/${segment(idRec)}`, within());
  if (isUnknown(answer)) return null;
  const rec = Rec.parse(answered(answer));
  if (rec.idRec !== idRec) throw new Error("The rail answered about another mandate");
  return rec;
}

async function readCobr(txid: string): Promise<Cobr | null> {
  const answer = await ask(`/cobr/${segment(txid)}`, within());
  if (isUnknown(answer)) return null;
  const cobr = Cobr.parse(answered(answer));
  if (cobr.txid !== txid) throw new Error("The rail answered about another debit");
  return cobr;
}

/** The offer with the code of its journey, for which the PSP must be given the first charge's txid. */
async function offeredOf({ idRec, ativacao }: Rec, call: Call): Promise<Offered> {
  const txid = ativacao?.dadosJornada?.txid;
  const { dadosQR } = Rec.parse(answered(await ask(`/rec/${idRec}${txid ? `?txid=${txid}` : ""}`, call)));
  if (!dadosQR) throw new Error("The rail gave no code of the mandate");
  return { status: "offered", mandateId: idRec, code: dadosQR.pixCopiaECola };
}

const mandateStatus = {
  CRIADA: "created",
  APROVADA: "approved",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const;

const debitStatus = {
  CRIADA: "created",
  ATIVA: "active",
  CONCLUIDA: "concluded",
  EXPIRADA: "expired",
  REJEITADA: "rejected",
  CANCELADA: "cancelled",
} as const;

const attemptStatus = {
  SOLICITADA: "requested",
  AGENDADA: "scheduled",
  PAGA: "paid",
  EXPIRADA: "expired",
  REJEITADA: "rejected",
  CANCELADA: "cancelled",
} as const;

const attemptKind = { AGND: "first", NTAG: "retry", RIFL: "resent" } as const;

const sides: Record<string, Side> = {
  USUARIO_PAGADOR: "payer",
  PSP_PAGADOR: "payer_bank",
  USUARIO_RECEBEDOR: "receiver",
  PSP_RECEBEDOR: "receiver_bank",
};

function endOf({ cancelamento, rejeicao }: z.infer<typeof Ended> = {}) {
  const cancelledBy = cancelamento ? sides[cancelamento.solicitante] : null;
  if (cancelledBy === undefined) throw new Error("The rail named an unknown side");
  return { cancelledBy, reason: cancelamento?.codigo ?? rejeicao?.codigo ?? null };
}

const mandateOf = ({ idRec, vinculo, status, encerramento }: Rec): Mandate => ({
  mandateId: idRec,
  contract: vinculo.contrato,
  status: mandateStatus[status],
  ...endOf(encerramento),
});

function debitOf({ txid, idRec, valor, calendario, status, pix, encerramento, tentativas }: Cobr): Debit {
  const amount = centsOf(valor.original);
  if (!amount) throw new Error("The rail answered with a malformed amount");
  const endToEndId = pix?.[0]?.endToEndId ?? null;
  if (status === "CONCLUIDA" && !endToEndId) throw new Error("The rail named no payment of a concluded debit");
  return {
    txid,
    mandateId: idRec,
    amount,
    dueDate: calendario.dataDeVencimento,
    status: debitStatus[status],
    endToEndId,
    ...endOf(encerramento),
    attempts: tentativas.map(attemptOf),
  };
}

const attemptOf = ({ dataLiquidacao, tipo, status, rejeicao }: Cobr["tentativas"][number]): Attempt => ({
  date: dataLiquidacao,
  kind: attemptKind[tipo],
  status: attemptStatus[status],
  reason: rejeicao?.codigo ?? null,
});

async function play(mandateId: string, body: object) {
  answered(await ask(`/rec/${segment(mandateId)}/payer`, { method: "POST", body }));
}
