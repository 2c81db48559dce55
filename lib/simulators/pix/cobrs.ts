import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { centsOf } from "@/lib/money";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import {
  type Attempt,
  type CobrDoc,
  getCobr,
  ISPB,
  inRecords,
  insertCobr,
  listCobrs,
  lockRec,
  moved,
  type Rec,
  type RecDoc,
  readCobr,
  saveCobr,
} from "@/lib/simulators/pix/automatic-records";
import { cycleOf, dayOf, daysFrom } from "@/lib/simulators/pix/dates";
import { problem } from "@/lib/simulators/pix/problem";
import { newEndToEndId } from "@/lib/simulators/pix/records";
import { cancelled, ID_REC } from "@/lib/simulators/pix/recs";

/** `…/cobr/{txid}`: a debit by a mandate. */
export const cobr = methods({
  PUT: guarded((request, context) => instruct(request, context)),
  GET: guarded((request, context) => answerOne(request, context)),
  PATCH: guarded((request, context) => cancelByReceiver(request, context)),
});

/** `…/cobr/{txid}/retentativa/{data}`: another attempt at a debit. */
export const retry = methods({ POST: guarded((request, context) => askAgain(request, context)) });

/** How many days before it is due a debit is instructed. */
const AHEAD = { from: 2, to: 10 };
const MAX_RETRIES = 3;
const RETRY_WITHIN_DAYS = 7;

const TXID = /^[a-zA-Z0-9]{26,35}$/;

const Instruction = z.object({
  idRec: z.string().regex(ID_REC),
  calendario: z.object({ dataDeVencimento: z.iso.date() }),
  valor: z.object({ original: z.string().regex(/^\d{1,10}\.\d\d$/) }),
  ajusteDiaUtil: z.literal(false),
  infoAdicional: z
    .string()
    .regex(/^[^\p{Cc}\p{Cs}]{1,140}$/u)
    .optional(),
});
type Instruction = z.infer<typeof Instruction>;

const instruct: Handler = async (request, { params }) => {
  const body = await bodyBy(Instruction, request);
  if (body instanceof Response) return body;
  const { txid = "" } = (await params) ?? {};
  if (!TXID.test(txid) || !centsOf(body.valor.original)) return refused("O txid ou o valor não respeita o schema.");
  const today = dayOf(request);
  return inRecords(async (query) => {
    const rec = await lockRec(query, body.idRec);
    const fault = rec
      ? faultOfDebit(rec.doc, await listCobrs(query, body.idRec), body, today)
      : "O campo cobr.idRec não é de uma recorrência.";
    if (!rec || fault) return refused(fault as string);
    const { dataDeVencimento } = body.calendario;
    const created: CobrDoc = {
      ...body,
      txid,
      calendario: { criacao: today, dataDeVencimento },
      politicaRetentativa: rec.doc.politicaRetentativa,
      status: "CRIADA",
      tentativas: [attempt("AGND", dataDeVencimento, rec)],
      atualizacao: [],
    };
    const doc = moved(created, "CRIADA");
    return (await insertCobr(query, doc)) ? json(201, doc) : refused("O campo cobr.txid encontra-se em uso.");
  });
};

/** Why a debit of this mandate, which has these debits, is not accepted. */
export function faultOfDebit(
  doc: Pick<RecDoc, "status" | "valor" | "calendario">,
  debits: readonly CobrDoc[],
  { calendario, valor }: Pick<Instruction, "calendario" | "valor">,
  today: string,
): string | undefined {
  const due = calendario.dataDeVencimento;
  const ahead = daysFrom(today, due);
  if (doc.status !== "APROVADA") return "A recorrência não está aprovada.";
  if (ahead < AHEAD.from || ahead > AHEAD.to) return "A cobrança deve vencer em 2 a 10 dias.";
  if (doc.valor && doc.valor.valorRec !== valor.original) return "O campo cobr.valor difere do valor da recorrência.";
  const cycle = cycleOf(due, doc.calendario);
  if (cycle < 0) return "O vencimento é anterior à data inicial da recorrência.";
  const isOf = ({ status, calendario }: CobrDoc) =>
    status !== "REJEITADA" && status !== "CANCELADA" && cycleOf(calendario.dataDeVencimento, doc.calendario) === cycle;
  return debits.some(isOf) ? "Existe uma CobR com vencimento no mesmo ciclo." : undefined;
}

export function attempt(tipo: Attempt["tipo"], dataLiquidacao: string, { payer }: Pick<Rec, "payer">): Attempt {
  const endToEndId = newEndToEndId(payer?.ispb ?? ISPB, new Date(`${dataLiquidacao}T12:00:00Z`));
  return moved({ dataLiquidacao, tipo, endToEndId, status: "SOLICITADA", atualizacao: [] } as Attempt, "SOLICITADA");
}

const refused = (reason: string) => problem("CobROperacaoInvalida", reason);
const UNKNOWN = () => problem("CobRNaoEncontrado", "Cobrança não encontrada para o txid informado.");

const answerOne: Handler = async (_, { params }) => {
  const { txid = "" } = (await params) ?? {};
  const found = TXID.test(txid) ? await getCobr(txid) : undefined;
  return found ? json(200, found) : UNKNOWN();
};

const Cancellation = z.object({ status: z.literal("CANCELADA") });

const cancelByReceiver: Handler = async (request, { params }) => {
  const body = await bodyBy(Cancellation, request);
  if (body instanceof Response) return body;
  const today = dayOf(request);
  return change((await params)?.txid, 200, (doc) => cancelledByReceiver(doc, today));
};

/** The debit as its receiver has cancelled it, or why it cannot be. */
export function cancelledByReceiver(doc: CobrDoc, today: string): CobrDoc | string {
  if (doc.status !== "CRIADA" && doc.status !== "ATIVA") return "A cobrança está encerrada.";
  const [first] = doc.tentativas;
  if (first && today >= first.dataLiquidacao) {
    return "Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.";
  }
  return cancelled(doc, "USUARIO_RECEBEDOR", "SLCR");
}

const askAgain: Handler = async (request, { params }) => {
  const { data = "" } = (await params) ?? {};
  const date = z.iso.date().safeParse(data);
  if (date.error) return refused("O parâmetro data não é uma data.");
  const today = dayOf(request);
  return change((await params)?.txid, 201, (doc, rec) => {
    const fault = faultOfRetry(doc, data, today);
    return fault ?? { ...doc, tentativas: [...doc.tentativas, attempt("NTAG", data, rec)] };
  });
};

export function faultOfRetry(doc: CobrDoc, date: string, today: string): string | undefined {
  const { status, tentativas, politicaRetentativa, calendario } = doc;
  if (status !== "ATIVA") return "A cobrança não está ativa.";
  if (politicaRetentativa !== "PERMITE_3R_7D") return "A política configurada na recorrência não permite retentativa.";
  if (tentativas.at(-1)?.status !== "EXPIRADA") return "Existe uma tentativa não finalizada.";
  if (!mayRetry(doc)) return "As 3 retentativas foram usadas.";
  if (date <= today) return "O parâmetro data não corresponde a uma data futura.";
  if (daysFrom(calendario.dataDeVencimento, date) > RETRY_WITHIN_DAYS) {
    return "A retentativa deve ocorrer em até 7 dias após o vencimento.";
  }
  return undefined;
}

/** Whether another attempt may be asked for, were today the due date. */
export const mayRetry = ({ politicaRetentativa, tentativas }: CobrDoc) =>
  politicaRetentativa === "PERMITE_3R_7D" && tentativas.length <= MAX_RETRIES;

/** Whether no day is left on which another attempt could be. */
export const isTooLateToRetry = ({ calendario }: CobrDoc, today: string) =>
  daysFrom(calendario.dataDeVencimento, today) >= RETRY_WITHIN_DAYS;

/** Changes a debit while its mandate is locked, or answers why not. */
async function change(
  txid = "",
  status: number,
  next: (doc: CobrDoc, rec: Rec) => CobrDoc | string,
): Promise<Response> {
  const found = TXID.test(txid) ? await getCobr(txid) : undefined;
  if (!found) return UNKNOWN();
  return inRecords(async (query) => {
    const rec = await lockRec(query, found.idRec);
    const doc = rec && (await readCobr(query, txid));
    if (!doc) return UNKNOWN();
    const changed = next(doc, rec);
    if (typeof changed === "string") return refused(changed);
    await saveCobr(query, changed);
    return json(status, changed);
  });
}
