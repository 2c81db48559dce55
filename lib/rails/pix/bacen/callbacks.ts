import { z } from "zod";
import { idOf } from "@/lib/ids";
import { CobRNotification, Pix, RecNotification } from "@/lib/rails/pix/bacen/schemas.generated";
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
  const alone = Pix.safeParse(body).success ? [body] : body;
  const { data } = Body.safeParse(Array.isArray(alone) ? { pix: alone } : body);
  if (!data) throw new SyntaxError("No body of the API Pix");
  return [
    ...data.pix.flatMap((one) => payoutIn?.(one) ?? ofPix(one)),
    ...data.recs.map((one) => changeOf(RecNotification, one, "mandate", ({ idRec }) => idRec)),
    ...data.cobsr.map((one) => changeOf(CobRNotification, one, "debit", ({ txid }) => txid)),
  ];
}

const list = z.array(z.unknown()).default([]);
const Body = z.object({ pix: list, recs: list, cobsr: list });

/** A payment, and each return of it. What is true is asked for, so the inbox keeps only what names them. */
function ofPix(one: unknown): (PixCallback | "unreadable")[] {
  const { data } = Pix.safeParse(one);
  if (!data) return ["unreadable"];
  const { endToEndId, txid, valor, horario, devolucoes = [] } = data;
  const happenedAt = new Date(horario);
  if (Number.isNaN(happenedAt.getTime())) return ["unreadable"];
  const payment = { eventId: `pix_${endToEndId}`, kind: "payment", id: endToEndId, happenedAt } as const;
  return [
    { ...payment, payload: { endToEndId, txid, valor, horario } },
    ...devolucoes.map(({ id, status }) => ({
      ...({ eventId: `devolucao_${endToEndId}_${id}_${status}`, kind: "refund", id: idOf(id) ?? id } as const),
      payload: { endToEndId, id, status },
    })),
  ];
}

function changeOf<T extends { status: string }>(
  schema: z.ZodType<T>,
  one: unknown,
  kind: "mandate" | "debit",
  idIn: (change: T) => string,
): PixCallback | "unreadable" {
  const { data } = schema.safeParse(one);
  if (!data) return "unreadable";
  const id = idIn(data);
  return { eventId: `${kind}_${id}_${data.status}`, kind, id, payload: { id, status: data.status } };
}
