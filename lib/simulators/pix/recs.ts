import { z } from "zod";
import type { Query } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { newAlphanumeric } from "@/lib/ids";
import { centsOf } from "@/lib/money";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import {
  COB_AT,
  type CobrDoc,
  getCob,
  getRec,
  getRecUnder,
  ISPB,
  inRecords,
  insertRec,
  listCobrs,
  lockRec,
  moved,
  REC_AT,
  type Rec,
  type RecDoc,
  saveCobr,
  saveRec,
} from "@/lib/simulators/pix/automatic-records";
import { dayOf } from "@/lib/simulators/pix/dates";
import { problem } from "@/lib/simulators/pix/problem";

/** `…/rec`: offers a mandate, and finds the one of a contract. */
export const recs = methods({
  POST: guarded((request, context) => offer(request, context)),
  GET: guarded((request, context) => findUnder(request, context)),
});

/** `…/rec/{idRec}`: a mandate, with its BR Code, and its cancellation by the receiver. */
export const rec = methods({
  GET: guarded((request, context) => answerOne(request, context)),
  PATCH: guarded((request, context) => cancelByReceiver(request, context)),
});

const text = (max: number) => z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${max}}$`, "u"));
const money = z
  .string()
  .regex(/^\d{1,10}\.\d\d$/)
  .refine((value) => Boolean(centsOf(value)));
const debtor = { nome: text(140) };

const Offer = z.object({
  vinculo: z.object({
    contrato: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
    objeto: text(35).optional(),
    devedor: z.union([
      z.object({ ...debtor, cpf: z.string().regex(/^\d{11}$/) }),
      z.object({ ...debtor, cnpj: z.string().regex(/^[0-9A-Z]{12}\d{2}$/) }),
    ]),
  }),
  calendario: z.object({
    dataInicial: z.iso.date(),
    periodicidade: z.enum(["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"]),
  }),
  valor: z.object({ valorRec: money }).optional(),
  politicaRetentativa: z.enum(["NAO_PERMITE", "PERMITE_3R_7D"]),
  recebedor: z.object({ nome: text(140), cidade: text(140) }),
  ativacao: z.object({ dadosJornada: z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }) }).optional(),
});

const offer: Handler = async (request) => {
  const body = await bodyBy(Offer, request);
  if (body instanceof Response) return body;
  const { ativacao, ...terms } = body;
  const [today, firstTxid = null] = [dayOf(request), ativacao?.dadosJornada.txid];
  if (terms.calendario.dataInicial < today) {
    return problem(
      "RecOperacaoInvalida",
      "O campo rec.calendario.dataInicial é anterior à data de criação da recorrência.",
    );
  }
  if (firstTxid && !(await getCob(firstTxid))) {
    return problem("RecOperacaoInvalida", "O campo rec.ativacao.dadosJornada.txid não é de uma cobrança.");
  }
  const { politicaRetentativa } = terms;
  const kind = politicaRetentativa === "NAO_PERMITE" ? "RN" : "RR";
  const unsaved: Omit<RecDoc, "status"> = {
    ...terms,
    idRec: `${kind}${ISPB}${today.replaceAll("-", "")}${newAlphanumeric(11)}`,
    ativacao: { tipoJornada: "AGUARDANDO_DEFINICAO", ...ativacao },
    atualizacao: [],
  };
  const doc = moved({ ...unsaved, status: "CRIADA" } as RecDoc, "CRIADA");
  const isMade = await insertRec({ location: newAlphanumeric(32), first_txid: firstTxid, doc });
  return isMade ? json(201, doc) : problem("RecOperacaoInvalida", "O campo rec.vinculo.contrato encontra-se em uso.");
};

/** A list as the standard has it, by a filter of this PSP's own: the client's contract. */
const findUnder: Handler = async (request) => {
  const contract = new URL(request.url).searchParams.get("contrato") ?? "";
  const found = contract.length <= 35 ? await getRecUnder(contract) : undefined;
  return json(200, { recs: found ? [found.doc] : [] });
};

const UNKNOWN = () => problem("RecNaoEncontrada", "Recorrência não encontrada para o idRec informado.");

const answerOne: Handler = async (request, { params }) => {
  const { idRec = "" } = (await params) ?? {};
  const found = ID_REC.test(idRec) ? await getRec(idRec) : undefined;
  if (!found) return UNKNOWN();
  const txid = new URL(request.url).searchParams.get("txid");
  if (txid !== null && txid !== found.first_txid) {
    return problem("RecOperacaoInvalida", "O parâmetro txid não corresponde a ativação.dadosJornada.txid.");
  }
  return json(200, { ...found.doc, dadosQR: await codeOf(found, txid) });
};

export const ID_REC = /^R[RN][0-9A-Z]{8}\d{8}[a-zA-Z0-9]{11}$/;

/** The mandate's code: with the first charge's txid it holds that charge too. */
async function codeOf({ location, doc }: Rec, txid: string | null) {
  const names = { merchantName: doc.recebedor.nome, merchantCity: doc.recebedor.cidade };
  const recurrenceUrl = `${REC_AT}${location}`;
  const cob = txid === null ? undefined : await getCob(txid);
  if (!cob) return { jornada: "JORNADA_2", pixCopiaECola: writeBrCode({ ...names, recurrenceUrl }) };
  const charge = { url: `${COB_AT}${cob.location}`, amount: Number(cob.amount), reusable: false };
  return { jornada: "JORNADA_3", pixCopiaECola: writeBrCode({ ...names, ...charge, recurrenceUrl }) };
}

const Cancellation = z.object({ status: z.literal("CANCELADA") });

const cancelByReceiver: Handler = async (request, { params }) => {
  const body = await bodyBy(Cancellation, request);
  if (body instanceof Response) return body;
  const { idRec = "" } = (await params) ?? {};
  return inRecords(async (query) => {
    const found = ID_REC.test(idRec) ? await lockRec(query, idRec) : undefined;
    if (!found) return UNKNOWN();
    const cancelled = await cancel(query, found, "USUARIO_RECEBEDOR");
    if (cancelled) return json(200, cancelled);
    return problem("RecOperacaoInvalida", "A recorrência encontra-se expirada, cancelada ou rejeitada.");
  });
};

/** Cancels a locked mandate and its debits under way. Undefined where it has ended. */
export async function cancel(query: Query, rec: Rec, solicitante: "USUARIO_RECEBEDOR" | "USUARIO_PAGADOR") {
  if (rec.doc.status !== "CRIADA" && rec.doc.status !== "APROVADA") return undefined;
  const codigo = solicitante === "USUARIO_PAGADOR" ? "SLDB" : "SLCR";
  const descricao = "Cancelamento da recorrência";
  const doc = moved(rec.doc, "CANCELADA", { encerramento: { cancelamento: { solicitante, codigo, descricao } } });
  await saveRec(query, { ...rec, doc });
  for (const cobr of await listCobrs(query, rec.id_rec)) {
    if (cobr.status === "CRIADA" || cobr.status === "ATIVA")
      await saveCobr(query, cancelled(cobr, solicitante, "CCLD"));
  }
  return doc;
}

/** A debit that was cancelled, and with it the attempt that was to come. */
export function cancelled(cobr: CobrDoc, solicitante: string, codigo: "CCLD" | "SLCR"): CobrDoc {
  const isOpen = (status: string) => status === "SOLICITADA" || status === "AGENDADA";
  return moved(cobr, "CANCELADA", {
    tentativas: cobr.tentativas.map((one) => (isOpen(one.status) ? moved(one, "CANCELADA") : one)),
    encerramento: { cancelamento: { solicitante, codigo, descricao: "Cancelamento da cobrança" } },
  });
}
