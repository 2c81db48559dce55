import { type Query, runPrepared, transactionFor } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import type { AccountState } from "@/lib/rails/pix/automatic";
import type { Pix } from "@/lib/simulators/pix/records";
import { realNow } from "@/lib/time/clock";

/** The PSP's own ISPB, and where its dynamic codes and mandates are: a fictional host, so that nobody else is asked. */
export const ISPB = "99999999";
export const COB_AT = "psp.example/qr/v2/cob/";
export const REC_AT = "psp.example/qr/v2/rec/";

export type RecStatus = "CRIADA" | "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA";
export type CobrStatus = "CRIADA" | "ATIVA" | "CONCLUIDA" | "EXPIRADA" | "REJEITADA" | "CANCELADA";
export type AttemptStatus = "SOLICITADA" | "AGENDADA" | "PAGA" | "CANCELADA" | "REJEITADA" | "EXPIRADA";

type Update<Status> = { status: Status; data: string };
type Rejection = { codigo: string; descricao: string };
export type Ending = { cancelamento: Rejection & { solicitante: string } } | { rejeicao: Rejection };

/** What a GET answers about a mandate, without the codes (`RecCompleta`). */
export type RecDoc = {
  idRec: string;
  vinculo: { contrato: string; objeto?: string | undefined; devedor: { cpf?: string; cnpj?: string; nome: string } };
  calendario: { dataInicial: string; periodicidade: string };
  valor?: { valorRec: string } | undefined;
  politicaRetentativa: "NAO_PERMITE" | "PERMITE_3R_7D";
  recebedor: { nome: string; cidade: string };
  ativacao: { tipoJornada: string; dadosJornada?: { txid: string } };
  status: RecStatus;
  encerramento?: Ending;
  atualizacao: Update<RecStatus>[];
};

export type Attempt = {
  dataLiquidacao: string;
  tipo: "AGND" | "NTAG";
  status: AttemptStatus;
  endToEndId: string;
  rejeicao?: Rejection;
  atualizacao: Update<AttemptStatus>[];
};

/** What a GET answers about a debit (`CobRCompleta`). */
export type CobrDoc = {
  idRec: string;
  txid: string;
  infoAdicional?: string | undefined;
  calendario: { criacao: string; dataDeVencimento: string };
  valor: { original: string };
  ajusteDiaUtil: false;
  politicaRetentativa: RecDoc["politicaRetentativa"];
  status: CobrStatus;
  tentativas: Attempt[];
  pix?: { endToEndId: string; txid: string; valor: string; horario: string }[];
  encerramento?: Ending;
  atualizacao: Update<CobrStatus>[];
};

export type Rec = {
  id_rec: string;
  location: string;
  first_txid: string | null;
  doc: RecDoc;
  payer: Pix["payer"] | null;
  account: AccountState;
};

export type Cob = { txid: string; location: string; amount: string; status: "ATIVA" | "CONCLUIDA" };

/** A record in its next status, with its history. */
export function moved<T extends { status: string; atualizacao: Update<T["status"]>[] }>(
  doc: T,
  status: T["status"],
  more: Partial<T> = {},
): T {
  return { ...doc, ...more, status, atualizacao: [...doc.atualizacao, { status, data: realNow().toISOString() }] };
}

/** One transaction of the PSP's own. Afterwards the notices of what it changed are sent. */
export async function inRecords<T>(run: (query: Query) => Promise<T>): Promise<T> {
  const result = await transactionFor("", run); // these tables belong to no account of our program
  wake("notices");
  return result;
}

const REC = "id_rec, location, first_txid, doc, payer, account";

export async function getRec(idRec: string): Promise<Rec | undefined> {
  const text = `select ${REC} from simulator_recs where id_rec = $1`;
  const [rec] = await runPrepared<Rec>("simulator-get-rec", text, [idRec]);
  return rec;
}

export async function getRecUnder(contract: string): Promise<Rec | undefined> {
  const text = `select ${REC} from simulator_recs where contract = $1`;
  const [rec] = await runPrepared<Rec>("simulator-get-rec-under", text, [contract]);
  return rec;
}

/** The mandate, locked until the transaction ends. Whoever changes a mandate or one of its debits locks the mandate first. */
export async function lockRec(query: Query, idRec: string): Promise<Rec | undefined> {
  const text = `select ${REC} from simulator_recs where id_rec = $1 for update`;
  const [rec] = await query<Rec>("simulator-lock-rec", text, [idRec]);
  return rec;
}

export async function lockRecAt(query: Query, location: string): Promise<Rec | undefined> {
  const text = `select ${REC} from simulator_recs where location = $1 for update`;
  const [rec] = await query<Rec>("simulator-lock-rec-at", text, [location]);
  return rec;
}

/** False when the contract is in use. */
export async function insertRec(rec: Pick<Rec, "location" | "first_txid" | "doc">): Promise<boolean> {
  const { location, first_txid, doc } = rec;
  const text = `insert into simulator_recs (id_rec, contract, location, first_txid, doc) values ($1, $2, $3, $4, $5)
    on conflict (contract) do nothing returning true as made`;
  const values = [doc.idRec, doc.vinculo.contrato, location, first_txid, JSON.stringify(doc)];
  const made = await runPrepared("simulator-insert-rec", text, values);
  return made.length === 1;
}

/** Writes a changed mandate, whose notice is then due at once. */
export async function saveRec(query: Query, { id_rec, doc, payer }: Rec): Promise<void> {
  const text = `update simulator_recs set doc = $2, payer = $3, changes = changes + 1, notify_at = now(), attempts = 0
    where id_rec = $1`;
  await query("simulator-save-rec", text, [id_rec, JSON.stringify(doc), payer && JSON.stringify(payer)]);
}

export async function setAccount(query: Query, idRec: string, account: AccountState): Promise<void> {
  await query("simulator-set-account", "update simulator_recs set account = $2 where id_rec = $1", [idRec, account]);
}

export async function getCobr(txid: string): Promise<CobrDoc | undefined> {
  const [row] = await runPrepared<{ doc: CobrDoc }>("simulator-get-cobr", COBR, [txid]);
  return row?.doc;
}

const COBR = "select doc from simulator_cobrs where txid = $1";

/** A debit as it is after its mandate was locked. */
export async function readCobr(query: Query, txid: string): Promise<CobrDoc | undefined> {
  const [row] = await query<{ doc: CobrDoc }>("simulator-get-cobr", COBR, [txid]);
  return row?.doc;
}

/** All debits of a mandate, by due date. */
export async function listCobrs(query: Query, idRec: string): Promise<CobrDoc[]> {
  const text = `select doc from simulator_cobrs where id_rec = $1
    order by doc #>> '{calendario,dataDeVencimento}', txid`;
  const rows = await query<{ doc: CobrDoc }>("simulator-list-cobrs", text, [idRec]);
  return rows.map(({ doc }) => doc);
}

/** False when the txid is in use. */
export async function insertCobr(query: Query, doc: CobrDoc): Promise<boolean> {
  const text = `insert into simulator_cobrs (txid, id_rec, doc) values ($1, $2, $3)
    on conflict (txid) do nothing returning true as made`;
  const made = await query("simulator-insert-cobr", text, [doc.txid, doc.idRec, JSON.stringify(doc)]);
  return made.length === 1;
}

/** Writes a changed debit, whose notice is then due at once. */
export async function saveCobr(query: Query, doc: CobrDoc): Promise<void> {
  const text = `update simulator_cobrs set doc = $2, changes = changes + 1, notify_at = now(), attempts = 0
    where txid = $1`;
  await query("simulator-save-cobr", text, [doc.txid, JSON.stringify(doc)]);
}

const COB = "txid, location, amount, status";

export async function getCob(txid: string): Promise<Cob | undefined> {
  const [cob] = await runPrepared<Cob>("simulator-get-cob", `select ${COB} from simulator_cobs where txid = $1`, [
    txid,
  ]);
  return cob;
}

export async function lockCobAt(query: Query, location: string): Promise<Cob | undefined> {
  const text = `select ${COB} from simulator_cobs where location = $1 for update`;
  const [cob] = await query<Cob>("simulator-lock-cob-at", text, [location]);
  return cob;
}

/** Undefined when the txid is in use. */
export async function insertCob(txid: string, location: string, amount: number): Promise<Cob | undefined> {
  const text = `insert into simulator_cobs (txid, location, amount, status) values ($1, $2, $3, 'ATIVA')
    on conflict (txid) do nothing returning ${COB}`;
  const [cob] = await runPrepared<Cob>("simulator-insert-cob", text, [txid, location, amount]);
  return cob;
}

export async function concludeCob(query: Query, txid: string): Promise<void> {
  await query("simulator-conclude-cob", "update simulator_cobs set status = 'CONCLUIDA' where txid = $1", [txid]);
}
