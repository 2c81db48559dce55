import type { PeriodName } from "@/lib/methods/periods";
import { centsOf, decimal } from "@/lib/money";
import type { Attempt, Debit, DebitOrder, Mandate, MandateOffer, Side } from "@/lib/rails/pix/automatic";
import { cut } from "@/lib/rails/pix/cut";

/** What is read of a mandate in the words of the Central Bank's API Pix. */
export type Rec = {
  idRec: string;
  status: keyof typeof mandateStatus;
  vinculo: { contrato: string; devedor: { cpf?: string | undefined; cnpj?: string | undefined } };
  calendario: { dataInicial: string; periodicidade: string };
  valor?: { valorRec?: string | undefined } | undefined;
  ativacao?: { dadosJornada?: { txid: string } | undefined } | undefined;
  dadosQR?: { pixCopiaECola?: string | undefined } | undefined;
  encerramento?: Ended | undefined;
};

/** What is read of a debit. The answers to some requests have no attempts. */
export type Cobr = {
  idRec: string;
  txid: string;
  status: keyof typeof debitStatus;
  calendario: { dataDeVencimento: string };
  valor: { original: string };
  tentativas?: Tentativa[] | undefined;
  pix?: { endToEndId: string }[] | undefined;
  encerramento?: Ended | undefined;
};

type Tentativa = {
  dataLiquidacao: string;
  tipo: keyof typeof attemptKind;
  status: keyof typeof attemptStatus;
  endToEndId: string;
  rejeicao?: { codigo: string } | undefined;
};

type Ended = {
  cancelamento?: { solicitante: string; codigo: string } | undefined;
  rejeicao?: { codigo: string } | undefined;
};

export const mandateStatus = {
  CRIADA: "created",
  APROVADA: "approved",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const;

export const debitStatus = {
  CRIADA: "created",
  ATIVA: "active",
  CONCLUIDA: "concluded",
  EXPIRADA: "expired",
  REJEITADA: "rejected",
  CANCELADA: "cancelled",
} as const;

export const attemptStatus = {
  SOLICITADA: "requested",
  AGENDADA: "scheduled",
  PAGA: "paid",
  EXPIRADA: "expired",
  REJEITADA: "rejected",
  CANCELADA: "cancelled",
} as const;

export const attemptKind = { AGND: "first", NTAG: "retry", RIFL: "resent" } as const;

const sides: Record<string, Side> = {
  USUARIO_PAGADOR: "payer",
  PSP_PAGADOR: "payer_bank",
  USUARIO_RECEBEDOR: "receiver",
  PSP_RECEBEDOR: "receiver_bank",
};

const periodicity: Record<PeriodName, string> = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  semiannual: "SEMESTRAL",
  annual: "ANUAL",
};

/** The request for a mandate. */
export function recOf({ contract, period, firstDate, amount, description, debtor, first }: MandateOffer) {
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
    ...(first && { ativacao: { dadosJornada: { txid: first.txid } } }),
  };
}

/** Whether a mandate has the terms of this offer. */
export function isOfferOf({ period, firstDate, amount, debtor, first }: MandateOffer, rec: Rec): boolean {
  const { devedor } = rec.vinculo;
  return (
    rec.calendario.periodicidade === periodicity[period] &&
    rec.calendario.dataInicial === firstDate &&
    rec.valor?.valorRec === (amount === null ? undefined : decimal(amount)) &&
    (devedor.cpf ?? devedor.cnpj) === debtor.document &&
    rec.ativacao?.dadosJornada?.txid === first?.txid
  );
}

/** The request for the first payment of a mandate. */
export const cobOf = ({ amount, validMs }: NonNullable<MandateOffer["first"]>, chave: string) => ({
  calendario: { expiracao: Math.round(validMs / 1_000) },
  valor: { original: decimal(amount) },
  chave,
});

/** Whether a charge under the first payment's txid is that one. */
export const isCobOf = ({ amount }: NonNullable<MandateOffer["first"]>, { valor }: { valor: { original: string } }) =>
  valor.original === decimal(amount);

/** The request for a debit. */
export const cobrOf = ({ mandateId, amount, dueDate, description }: DebitOrder) => ({
  idRec: mandateId,
  calendario: { dataDeVencimento: dueDate },
  valor: { original: decimal(amount) },
  ajusteDiaUtil: false,
  ...(description && { infoAdicional: cut(description, 140) }),
});

/** Whether a debit is what this order asked for. */
export const isDebitOf = ({ mandateId, amount, dueDate }: DebitOrder, { idRec, valor, calendario }: Cobr): boolean =>
  idRec === mandateId && valor.original === decimal(amount) && calendario.dataDeVencimento === dueDate;

export const mandateOf = ({ idRec, vinculo, status, encerramento }: Rec): Mandate => ({
  mandateId: idRec,
  contract: vinculo.contrato,
  status: mandateStatus[status],
  ...endOf(encerramento),
});

/** Throws for an amount or a side that cannot be read, and for a debit that was paid by nothing. */
export function debitOf({ txid, idRec, valor, calendario, status, pix, encerramento, tentativas = [] }: Cobr): Debit {
  const amount = centsOf(valor.original);
  if (!amount) throw new Error("The rail answered with a malformed amount");
  // The list of its payments may be left out.
  const paid = pix?.[0] ?? tentativas.find((attempt) => attempt.status === "PAGA");
  const endToEndId = paid?.endToEndId ?? null;
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

function endOf({ cancelamento, rejeicao }: Ended = {}) {
  const cancelledBy = cancelamento ? sides[cancelamento.solicitante] : null;
  if (cancelledBy === undefined) throw new Error("The rail named an unknown side");
  return { cancelledBy, reason: cancelamento?.codigo ?? rejeicao?.codigo ?? null };
}

const attemptOf = ({ dataLiquidacao, tipo, status, rejeicao }: Tentativa): Attempt => ({
  date: dataLiquidacao,
  kind: attemptKind[tipo],
  status: attemptStatus[status],
  reason: rejeicao?.codigo ?? null,
});
