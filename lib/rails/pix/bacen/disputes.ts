import { z } from "zod";
import { centsOf } from "@/lib/money";
import { timeouts } from "@/lib/outside/http-client";
import type { DisputeReason, Disputes, ReportedDispute } from "@/lib/rails/disputes";
import { answered, type Client, isUnknown } from "@/lib/rails/pix/bacen/client";
import { isOurForm } from "@/lib/rails/pix/bacen/others";
import { PAGE, pagePath, pagesOf } from "@/lib/rails/pix/bacen/pages";
import { Devolucao, Pix, PixConsultados } from "@/lib/rails/pix/bacen/schemas.generated";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/**
 * MED over the API Pix, which tells of one by what it takes: a return of the payment that the PSP makes by itself. A return that
 * a person made in the PSP's own pages is the same to the books. The standard has no defence.
 */
export function bacenDisputes(ask: Client, connectedAt: () => Date): Disputes {
  return {
    async read(id, turn) {
      const [endToEndId = "", returnId = ""] = id.split(".");
      const answer = await ask(`/pix/${endToEndId}`, { ...(turn && { turn }) });
      if (isUnknown(answer)) return null;
      const { devolucoes = [] } = answered(Returned, answer);
      const found = devolucoes.find((one) => one.id === returnId && !isOurs(one));
      return found ? disputeOf(endToEndId, found) : null;
    },

    async *listOpen() {
      const [since, until] = partAt(realNow());
      if (until < connectedAt()) return;
      for (let page = 0, pages = 1; page < pages; page += 1) {
        const path = pagePath("/pix", since, until, page, { devolucaoPresente: "true" });
        const answer = await ask(path, { timeoutMs: timeouts.callMs, turn: "list" });
        const { parametros, pix = [] } = answered(ReturnedPixes, answer);
        const { quantidadeTotalDeItens: total } = parametros.paginacao;
        if (page === 0) pages = pagesOf({ total, length: pix.length }, PAGE);
        for (const one of pix) yield* disputesIn(one);
      }
    },

    defend: async () => ({ status: "refused", reason: "O provedor não recebe defesas pela API Pix." }),
  };
}

/** What is read of a return. */
export const ReturnTold = Devolucao.pick({ id: true, status: true }).extend({ natureza: z.string().optional() });

/**
 * Whether we made a return: a refund or the return of unmatched money, which have ids of ours. The nature of a return may be left
 * out, and a PSP's own id may be a UUID of another version.
 */
export const isOurs = ({ id, natureza = "ORIGINAL" }: z.infer<typeof ReturnTold>) =>
  natureza === "ORIGINAL" && isOurForm(id);

/** By what a return that is not ours is known: it has an id of its own within its payment. */
export const disputeIdOf = (endToEndId: string, returnId: string) => `${endToEndId}.${returnId}`;

const Taken = ReturnTold.extend(Devolucao.pick({ valor: true }).shape);
const Returned = Pix.pick({ endToEndId: true }).extend({ devolucoes: z.array(Taken).optional() });
const ReturnedPixes = PixConsultados.extend({ pix: z.array(z.unknown()).optional() });

/** A payment that cannot be read holds up no other. */
function disputesIn(one: unknown): ReportedDispute[] {
  const { data } = Returned.safeParse(one);
  if (!data) return [];
  return (data.devolucoes ?? []).filter((taken) => !isOurs(taken)).map((taken) => disputeOf(data.endToEndId, taken));
}

function disputeOf(endToEndId: string, { id, natureza = "", valor, status }: z.infer<typeof Taken>): ReportedDispute {
  const amount = centsOf(valor);
  if (!amount) throw new Error("The PSP answered with a malformed return");
  const isLost = status === "DEVOLVIDO";
  return {
    ...{ id: disputeIdOf(endToEndId, id), paymentId: endToEndId, reason: reasons[natureza] ?? "other", amount },
    status: isLost ? "lost" : status === "NAO_REALIZADO" ? "cancelled" : "open",
    lostAmount: isLost ? amount : 0,
  };
}

const reasons: Readonly<Record<string, DisputeReason>> = {
  MED_FRAUDE: "fraud",
  MED_OPERACIONAL: "operational_flaw",
  MED_PIX_AUTOMATICO: "not_recognised",
};

/** A payment can be disputed for 80 days. */
const DISPUTABLE_MS = 90 * DAY_MS;
/** How often disputes are looked for (lib/jobs/registry.ts). */
const LOOK_MS = 300_000;
const LOOKS = DAY_MS / LOOK_MS;

/** The part of the last 90 days that a look reads: each reads another, so that a day of looks reads all of it. */
function partAt(now: Date): [since: Date, until: Date] {
  const at = Math.floor(now.getTime() / LOOK_MS) % LOOKS;
  const length = DISPUTABLE_MS / LOOKS;
  const until = now.getTime() - at * length;
  return [new Date(until - length), new Date(until)];
}
