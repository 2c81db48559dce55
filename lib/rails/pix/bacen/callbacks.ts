import { z } from "zod";
import { idOf } from "@/lib/ids";
import { disputeIdOf, isOurs, ReturnTold } from "@/lib/rails/pix/bacen/disputes";
import { Paid, timeOf } from "@/lib/rails/pix/bacen/paid";
import { CobRNotification, RecNotification } from "@/lib/rails/pix/bacen/schemas.generated";
import type { PixCallback } from "@/lib/rails/pix/port";

/**
 * The callbacks in one body of the API Pix, by the list that it holds; `pix` reports payments and what became of returns, and
 * some PSPs send that list alone, or its only member. A body without any list has none, as a PSP may send one to try the
 * address. `payoutIn` reads what else a PSP reports there. Throws SyntaxError for no object.
 */
export function callbacksIn(
  body: unknown,
  payoutIn?: (one: unknown) => PixCallback | null,
): readonly (PixCallback | "unreadable")[] {
  const alone = Told.safeParse(body).success ? [body] : body;
  const { data } = Body.safeParse(Array.isArray(alone) ? { pix: alone } : body);
  if (!data) throw new SyntaxError("No body of the API Pix");
  return [
    ...data.pix.flatMap((one) => payoutIn?.(one) ?? ofPix(one)),
    ...data.recs.map(ofRec),
    ...data.cobsr.map(ofCobr),
  ];
}

const list = z.array(z.unknown()).default([]);
const Body = z.object({ pix: list, recs: list, cobsr: list });

/** What is read of a payment and its returns. */
const Told = Paid.extend({ devolucoes: z.array(ReturnTold).optional() });
/** What is read of a mandate and of a debit. */
const RecTold = RecNotification.pick({ idRec: true, status: true });
const CobrTold = CobRNotification.pick({ txid: true, status: true }).extend({
  tentativas: z.array(z.object({ status: z.string() })).optional(),
});

/** A payment, and each return of it. What is true is asked for, so the inbox keeps only what names them. */
function ofPix(one: unknown): (PixCallback | "unreadable")[] {
  const { data } = Told.safeParse(one);
  if (!data) return ["unreadable"];
  const { endToEndId, txid, valor, horario, devolucoes = [] } = data;
  const happenedAt = timeOf(horario);
  if (Number.isNaN(happenedAt.getTime())) return ["unreadable"];
  const payment = { eventId: `pix_${endToEndId}`, kind: "payment", id: endToEndId, happenedAt } as const;
  return [
    { ...payment, payload: { endToEndId, txid, valor, horario } },
    ...devolucoes.map((one) => {
      const { id, status } = one;
      const about = isOurs(one)
        ? ({ kind: "refund", id: idOf(id) ?? id } as const)
        : ({ kind: "med", id: disputeIdOf(endToEndId, id) } as const);
      return { ...about, eventId: `devolucao_${endToEndId}_${id}_${status}`, payload: { endToEndId, id, status } };
    }),
  ];
}

function ofRec(one: unknown): PixCallback | "unreadable" {
  const { data } = RecTold.safeParse(one);
  return data ? changeOf("mandate", data.idRec, [data.status]) : "unreadable";
}

/** A debit stays ATIVA while one attempt after the other ends, so what became of each is part of the event's name. */
function ofCobr(one: unknown): PixCallback | "unreadable" {
  const { data } = CobrTold.safeParse(one);
  if (!data) return "unreadable";
  return changeOf("debit", data.txid, [data.status, ...(data.tentativas ?? []).map(({ status }) => status)]);
}

function changeOf(kind: "mandate" | "debit", id: string, statuses: [string, ...string[]]): PixCallback {
  const [status] = statuses;
  return { eventId: [kind, id, ...statuses].join("_"), kind, id, payload: { id, status } };
}
