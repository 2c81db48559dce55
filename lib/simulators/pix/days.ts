import { z } from "zod";
import type { Query } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { centsOf } from "@/lib/money";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import {
  type Attempt,
  type AttemptStatus,
  type CobrDoc,
  inRecords,
  listCobrs,
  lockRec,
  moved,
  type Rec,
  saveCobr,
  saveRec,
} from "@/lib/simulators/pix/automatic-records";
import { isTooLateToRetry, mayRetry } from "@/lib/simulators/pix/cobrs";
import { dayOf } from "@/lib/simulators/pix/dates";
import { recordPix } from "@/lib/simulators/pix/records";
import { ID_REC } from "@/lib/simulators/pix/recs";
import { realNow } from "@/lib/time/clock";

/**
 * `…/days`: lets days pass for some mandates, up to the business day that the client names in the header. A live PSP does
 * so by itself; this one has no clock of its own for it, because the clock of a client's sandbox jumps.
 */
export const days = methods({ POST: guarded((request, context) => passDays(request, context)) });

const Body = z.object({ recs: z.array(z.string().regex(ID_REC)).max(100) });

const passDays: Handler = async (request) => {
  const body = await bodyBy(Body, request);
  if (body instanceof Response) return body;
  const today = dayOf(request);
  const changed = { recs: [] as string[], cobsr: [] as string[] };
  for (const idRec of body.recs) {
    await inRecords(async (query) => {
      const rec = await lockRec(query, idRec);
      if (!rec) return;
      if (await expire(query, rec, today)) changed.recs.push(idRec);
      changed.cobsr.push(...(await passFor(query, rec, today)));
    });
  }
  return json(200, changed);
};

async function expire(query: Query, rec: Rec, today: string): Promise<boolean> {
  const { status, calendario } = rec.doc;
  if (status !== "CRIADA" || today <= calendario.dataInicial) return false;
  await saveRec(query, { ...rec, doc: moved(rec.doc, "EXPIRADA") });
  return true;
}

/** The payer's bank answers about the debits of a locked mandate. Returns the txids of those that changed. */
async function passFor(query: Query, rec: Rec, today: string): Promise<string[]> {
  if (rec.doc.status !== "APROVADA" || rec.account === "away") return [];
  const changed: string[] = [];
  for (const before of await listCobrs(query, rec.id_rec)) {
    const doc = nextOf(before, rec, today);
    if (doc === before) continue;
    await saveCobr(query, doc);
    if (doc.status === "CONCLUIDA") await pay(query, doc, rec);
    changed.push(doc.txid);
  }
  return changed;
}

/** A debit on this day; the same object where nothing changes. */
export function nextOf(before: CobrDoc, { account }: Pick<Rec, "account">, today: string): CobrDoc {
  if (before.status !== "CRIADA" && before.status !== "ATIVA") return before;
  let doc = before.status === "CRIADA" ? moved(before, "ATIVA") : before;
  if (last(doc).status === "SOLICITADA") doc = withLast(doc, "AGENDADA");
  if (last(doc).status === "AGENDADA" && today >= last(doc).dataLiquidacao) doc = settle(doc, account);
  const isOver = !mayRetry(doc) || isTooLateToRetry(doc, today);
  return doc.status === "ATIVA" && last(doc).status === "EXPIRADA" && isOver ? moved(doc, "EXPIRADA") : doc;
}

const CLOSED = { codigo: "AC05", descricao: "Conta transacional do usuário pagador encerrada" };

/** What the payer's account does with an attempt whose day has come. */
function settle(doc: CobrDoc, account: Rec["account"]): CobrDoc {
  if (account === "none") return withLast(doc, "EXPIRADA");
  if (account === "closed") {
    return moved(withLast(doc, "REJEITADA", { rejeicao: CLOSED }), "REJEITADA", { encerramento: { rejeicao: CLOSED } });
  }
  const { txid, valor } = doc;
  const horario = realNow().toISOString();
  const pix = [{ endToEndId: last(doc).endToEndId, txid, valor: valor.original, horario }];
  return moved(withLast(doc, "PAGA"), "CONCLUIDA", { pix });
}

const last = ({ tentativas }: CobrDoc) => tentativas.at(-1) as Attempt;

const withLast = (doc: CobrDoc, status: AttemptStatus, more?: Partial<Attempt>): CobrDoc => ({
  ...doc,
  tentativas: [...doc.tentativas.slice(0, -1), moved(last(doc), status, more)],
});

/** The money arrives as any other Pix, in the same transaction. */
async function pay(query: Query, doc: CobrDoc, { payer }: Rec) {
  const amount = centsOf(doc.valor.original);
  if (!amount || !payer) throw new Error("A debit without amount or payer was paid");
  await recordPix({ end_to_end_id: last(doc).endToEndId, txid: doc.txid, key: PIX_KEY, amount, payer }, query);
}
