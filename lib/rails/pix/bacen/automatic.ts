import { z } from "zod";
import type { Lost } from "@/lib/outside/calls";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import type { AutomaticPix, MandateOffer, Refused } from "@/lib/rails/pix/automatic";
import { type Answer, type AutomaticPsp, automaticVerbs, offeredOf, segment } from "@/lib/rails/pix/automatic-verbs";
import { cobOf, isCobOf, isOfferOf, type Rec, recOf } from "@/lib/rails/pix/automatic-words";
import { answered, type Client, done, isUnknown, refusalOf } from "@/lib/rails/pix/bacen/client";
import { PAGE } from "@/lib/rails/pix/bacen/pages";
import {
  CobCompleta,
  CobRCompleta,
  PayloadLocationRecGerada,
  RecCompleta,
} from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { DAY_MS } from "@/lib/time/calendar";

/**
 * Pix Automático over a PSP that speaks the Central Bank's API Pix 2.9.0. The standard does not say that a contract has one
 * mandate, and finds none by its contract: a mandate is looked for among those of its debtor.
 */
export function bacenAutomatic(ask: Client, settings: () => BacenSettings): AutomaticPix {
  const psp: AutomaticPsp = {
    ask: (path, { at: _, ...asked }) => ask(path, asked), // a live rail goes by its own clock
    refusalOf: refusedBy,
    isLost,
    isUnknown,
    recIn: (answer) => answered(RecAnswer, answer),
    cobrIn: (answer) => answered(CobrAnswer, answer),
    debitMore: () => ({ recebedor: settings().account }),
  };
  return {
    async offerMandate(offer) {
      const asked = { signal: AbortSignal.timeout(timeouts.callMs), turn: { codeOf: offer.accountId } } as const;
      const place = await ask("/locrec", { ...asked, method: "POST" });
      if (isLost(place)) return { status: "lost" };
      const unplaced = refusedBy(place);
      if (unplaced) return unplaced;
      const { id: loc } = answered(Place, place);
      const charged = offer.first ? await chargeFirst(offer.first, asked) : "before";
      if (typeof charged === "object") return charged;
      const earlier = charged === "before" ? await recUnder(ask, offer, asked) : undefined;
      if (earlier && !isOfferOf(offer, earlier)) return { status: "refused", reason: "The contract has other terms" };
      if (earlier) return offeredOf(psp, earlier, asked);
      const answer = await ask("/rec", { ...asked, method: "POST", body: { ...recOf(offer), loc } });
      if (isLost(answer)) return { status: "lost" };
      return refusedBy(answer) ?? offeredOf(psp, psp.recIn(answer), asked);
    },

    async findMandate(offer) {
      const asked = { signal: AbortSignal.timeout(timeouts.findMs) };
      const rec = await recUnder(ask, offer, asked);
      return rec ? offeredOf(psp, rec, asked) : null;
    },

    ...automaticVerbs(psp),
  };

  /** Has the first payment's charge made, unless it was made before: then its mandate may exist too. */
  async function chargeFirst(
    first: First,
    asked: { signal: AbortSignal },
  ): Promise<"made" | "before" | Lost | Refused> {
    const path = `/cob/${segment(first.txid)}`;
    const answer = await ask(path, { ...asked, method: "PUT", body: cobOf(first, settings().pix_key) });
    if (isLost(answer)) return { status: "lost" };
    const refusal = refusedBy(answer);
    if (!refusal) {
      done(answer);
      return "made";
    }
    const present = await ask(path, asked);
    return !isUnknown(present) && isCobOf(first, answered(Charge, present)) ? "before" : refusal;
  }
}

type First = NonNullable<MandateOffer["first"]>;

/** What is read of each record, so that an answer that lacks anything else is one all the same. */
const Place = PayloadLocationRecGerada.pick({ id: true });
const Charge = CobCompleta.pick({ valor: true });
const RecAnswer = RecCompleta.pick({
  ...{ idRec: true, status: true, vinculo: true, calendario: true, valor: true },
  ...{ ativacao: true, dadosQR: true, encerramento: true },
});
const CobrAnswer = CobRCompleta.pick({
  ...{ idRec: true, txid: true, status: true, calendario: true, valor: true },
  ...{ tentativas: true, pix: true, encerramento: true },
});
/** The mandates of a debtor, of which one may be another system's and in a form of its own. */
const Recs = z.object({ recs: z.array(z.unknown()) });
const OfContract = z.object({ vinculo: z.object({ contrato: z.string() }) });

function refusedBy(answer: Answer): Refused | null {
  const refusal = refusalOf(answer);
  return refusal && !refusal.isForNow ? { status: "refused", reason: refusal.reason } : null;
}

const isLost = (answer: Answer) => answer.status === UNREACHED || refusalOf(answer)?.isForNow === true;

/** The PSP's clock may differ, and a lost offer is looked for a while later. */
const MADE_BEFORE_MS = 30 * DAY_MS;
const MADE_AFTER_MS = DAY_MS;

/**
 * The mandate of a contract, among those of its debtor that were made within 30 days before `at`: nobody has more of them at one
 * shop than a page holds.
 */
async function recUnder(
  ask: Client,
  { contract, debtor, at }: Pick<MandateOffer, "contract" | "debtor" | "at">,
  asked: { signal: AbortSignal },
): Promise<Rec | undefined> {
  const { document } = debtor;
  if (!/^(\d{11}|[0-9A-Z]{14})$/.test(document)) return undefined; // the standard has no mandate of such a debtor
  const query = new URLSearchParams({
    inicio: new Date(at.getTime() - MADE_BEFORE_MS).toISOString(),
    fim: new Date(at.getTime() + MADE_AFTER_MS).toISOString(),
    [document.length === 11 ? "cpf" : "cnpj"]: document,
    "paginacao.itensPorPagina": String(PAGE),
  });
  const answer = await ask(`/rec?${query}`, asked);
  const { recs } = answered(Recs, answer);
  const json = recs.find((one) => OfContract.safeParse(one).data?.vinculo.contrato === contract);
  return json === undefined ? undefined : answered(RecAnswer, { ...answer, json });
}
