import { timeouts } from "@/lib/outside/http-client";
import type { AutomaticPix, Offered, Refused } from "@/lib/rails/pix/automatic";
import { type Cobr, cobrOf, debitOf, isDebitOf, mandateOf, type Rec } from "@/lib/rails/pix/automatic-words";

export type Answer = { status: number; json: unknown };
export type Asked = { method?: "GET" | "POST" | "PUT" | "PATCH"; body?: object; signal: AbortSignal; at?: Date };

/** A provider that has mandates and debits at the paths of the Central Bank's API Pix. */
export type AutomaticPsp = {
  /** Sends one request. `at` is the account's own time. */
  ask(path: string, asked: Asked): Promise<Answer>;
  /** Why the provider surely did not do it, and never will. Null for all other answers. */
  refusalOf(answer: Answer): Refused | null;
  /** Whether it surely did nothing, although it may later: it was not reached, or would not listen at present. */
  isLost(answer: Answer): boolean;
  /** Whether the provider itself says that it has no such record. */
  isUnknown(answer: Answer): boolean;
  /** What a 2xx holds. Throws for any other answer, and for one of another form. */
  recIn(answer: Answer): Rec;
  cobrIn(answer: Answer): Cobr;
  /** What it wants to know of a debit beyond the order. */
  debitMore?(): object;
};

type Verbs = Pick<
  AutomaticPix,
  "readMandate" | "cancelMandate" | "instructDebit" | "readDebit" | "cancelDebit" | "retryDebit"
>;

/**
 * What is asked about mandates and debits that exist. A repeat that the provider refuses is told by the record: where that is
 * already what was asked for, it is the answer.
 */
export function automaticVerbs(psp: AutomaticPsp): Verbs {
  return {
    async readMandate(mandateId) {
      const rec = await readRec(psp, mandateId);
      return rec && mandateOf(rec);
    },

    async cancelMandate(mandateId) {
      const asked = within();
      const answer = await psp.ask(`/rec/${segment(mandateId)}`, { ...asked, method: "PATCH", body: CANCEL });
      const refusal = psp.refusalOf(answer);
      if (!refusal) return mandateOf(psp.recIn(answer));
      const rec = await readRec(psp, mandateId, asked);
      return rec?.status === "CANCELADA" ? mandateOf(rec) : refusal;
    },

    async instructDebit({ isRepeat = false, ...order }) {
      const { txid, at } = order;
      const body = { ...cobrOf(order), ...psp.debitMore?.() };
      const signal = AbortSignal.timeout(timeouts.callMs);
      const answer = await psp.ask(`/cobr/${segment(txid)}`, { method: "PUT", body, signal, at });
      if (psp.isLost(answer)) return { status: "lost" };
      const refusal = psp.refusalOf(answer);
      if (!refusal) return full(psp, psp.cobrIn(answer), { signal });
      const earlier = await readCobr(psp, txid, { signal });
      if (earlier && isDebitOf(order, earlier)) return debitOf(earlier);
      return refusedFirst(refusal, isRepeat && !earlier);
    },

    async readDebit(txid) {
      const cobr = await readCobr(psp, txid);
      return cobr && debitOf(cobr);
    },

    async cancelDebit({ txid, at }) {
      const asked = within(at);
      const answer = await psp.ask(`/cobr/${segment(txid)}`, { ...asked, method: "PATCH", body: CANCEL });
      const refusal = psp.refusalOf(answer);
      if (!refusal) return full(psp, psp.cobrIn(answer), asked);
      const cobr = await readCobr(psp, txid, asked);
      return cobr?.status === "CANCELADA" ? debitOf(cobr) : refusal;
    },

    async retryDebit({ txid, date, at, isRepeat = false }) {
      const path = `/cobr/${segment(txid)}/retentativa/${segment(date)}`;
      const asked = within(at);
      const answer = await psp.ask(path, { ...asked, method: "POST" });
      const refusal = psp.refusalOf(answer);
      if (!refusal) return full(psp, psp.cobrIn(answer), asked);
      const cobr = await readCobr(psp, txid, asked);
      const isAsked = cobr?.tentativas?.some(({ tipo, dataLiquidacao }) => tipo === "NTAG" && dataLiquidacao === date);
      return cobr && isAsked ? debitOf(cobr) : refusedFirst(refusal, isRepeat);
    },
  };
}

/** A refusal, unless it may be of what was taken before and is not found yet. Throws then. */
function refusedFirst(refusal: Refused, mayBeTaken: boolean): Refused {
  if (mayBeTaken) throw new Error("The PSP refuses what was asked for before, and does not find it");
  return refusal;
}

const CANCEL = { status: "CANCELADA" };

const within = (at?: Date): Asked => ({ signal: AbortSignal.timeout(timeouts.findMs), ...(at && { at }) });

/** A part of a path. No provider knows an id of another form, and "-" is none. */
export const segment = (text: string): string => (/^[\w-]+$/.test(text) ? text : "-");

/** The standard has no attempts in the answer to some requests: then the debit is read. */
async function full(psp: AutomaticPsp, cobr: Cobr, { signal }: Pick<Asked, "signal">) {
  return debitOf(cobr.tentativas ? cobr : ((await readCobr(psp, cobr.txid, { signal })) ?? cobr));
}

async function readRec(psp: AutomaticPsp, idRec: string, { signal } = within()): Promise<Rec | null> {
  const answer = await psp.ask(`/rec/${segment(idRec)}`, { signal });
  if (psp.isUnknown(answer)) return null;
  const rec = psp.recIn(answer);
  if (rec.idRec !== idRec) throw new Error("The rail answered about another mandate");
  return rec;
}

async function readCobr(psp: AutomaticPsp, txid: string, { signal } = within()): Promise<Cobr | null> {
  const answer = await psp.ask(`/cobr/${segment(txid)}`, { signal });
  if (psp.isUnknown(answer)) return null;
  const cobr = psp.cobrIn(answer);
  if (cobr.txid !== txid) throw new Error("The rail answered about another debit");
  return cobr;
}

/** An offer with the code of its journey, for which the provider must be given the first charge's txid. */
export async function offeredOf(
  psp: AutomaticPsp,
  { idRec, ativacao }: Rec,
  asked: Pick<Asked, "signal" | "at">,
): Promise<Offered> {
  const txid = ativacao?.dadosJornada?.txid;
  const code = psp.recIn(await psp.ask(`/rec/${idRec}${txid ? `?txid=${txid}` : ""}`, asked)).dadosQR?.pixCopiaECola;
  if (!code) throw new Error("The rail gave no code of the mandate");
  return { status: "offered", mandateId: idRec, code };
}
