import { z } from "zod";
import { idOf } from "@/lib/ids";
import { log } from "@/lib/log";
import { centsOf } from "@/lib/money";
import type { Client } from "@/lib/rails/pix/bacen/client";
import { disputeIdOf, isOurs, ReturnTold } from "@/lib/rails/pix/bacen/disputes";
import { isOfOthers } from "@/lib/rails/pix/bacen/others";
import { slicesOf } from "@/lib/rails/pix/bacen/pages";
import { Paid, timeOf } from "@/lib/rails/pix/bacen/paid";
import { Devolucao } from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import type { ListedPix, ListedReturn, MoveState } from "@/lib/rails/pix/listed";

/** Payments of a window with what went back of each, as `PixRail.listReceived` says it. */
export async function* listReceived(
  ask: Client,
  settings: () => BacenSettings,
  [since, until]: [since: Date, until: Date],
  which: "all" | "returned",
  unreadable: () => void,
): AsyncGenerator<ListedPix> {
  const read = (one: unknown): ListedPix[] => {
    const { data } = Listed.safeParse(one);
    try {
      if (data) return [listedOf(data, isOfOthers(data, settings()))];
    } catch {
      // Logged and counted as what has another form.
    }
    log.error({ endToEndId: data?.endToEndId }, "a PSP's list has a payment that cannot be compared");
    unreadable();
    return [];
  };
  const filter: Record<string, string> = which === "returned" ? { devolucaoPresente: "true" } : {};
  for await (const slice of slicesOf(ask, since, until, read, filter)) yield* slice;
}

const Returned = ReturnTold.extend(Devolucao.pick({ valor: true, horario: true }).shape);
const Listed = Paid.extend({ devolucoes: z.array(Returned).default([]) });

function listedOf({ endToEndId, valor, horario, devolucoes }: z.infer<typeof Listed>, isOfOthers: boolean): ListedPix {
  if (!END_TO_END_ID.test(endToEndId)) throw new Error("The PSP listed a payment without an id");
  const paidAt = validTime(horario);
  const returns = devolucoes.map(({ horario: { solicitacao, liquidacao }, ...one }): ListedReturn => {
    const named = isOurs(one) ? idOf(one.id) : undefined;
    return {
      ...{ id: named ?? disputeIdOf(endToEndId, one.id), amount: cents(one.valor) },
      ...{ state: states[one.status] ?? "under_way", at: validTime(liquidacao ?? solicitacao ?? horario) },
    };
  });
  return { endToEndId, amount: cents(valor), paidAt, returns, isOfOthers };
}

const states: Readonly<Record<string, MoveState>> = { DEVOLVIDO: "done", NAO_REALIZADO: "failed" };

function cents(valor: string): number {
  const found = centsOf(valor);
  if (!found) throw new Error("The PSP listed a malformed amount");
  return found;
}

function validTime(text: string): Date {
  const at = timeOf(text);
  if (Number.isNaN(at.getTime())) throw new Error("The PSP listed a malformed time");
  return at;
}
