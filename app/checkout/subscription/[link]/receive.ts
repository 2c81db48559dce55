import { intentOf, type PageVisit, seePage } from "@/app/checkout/[token]/answer";
import { type Deed, maySee, showDeed, showSubscription } from "@/app/checkout/subscription/[link]/show";
import { cancelAsPayer, replaceCardAsPayer } from "@/lib/checkout/act-as-payer";
import { findOfPayer } from "@/lib/checkout/payer-page";
import { AppError, renderError } from "@/lib/errors";
import { readText } from "@/lib/http/body";
import { log } from "@/lib/log";

const MAX_BYTES = 8_000;

/** Takes a form of the payer's page, and answers with the subscription, or with the same form and why it was refused. */
export async function receiveOfPayer(visit: PageVisit): Promise<Response> {
  const form = new URLSearchParams(await readText(visit.request, MAX_BYTES));
  const deed = deedOf(form.get("act"));
  const found = await findOfPayer(visit.token);
  if (!deed) return showSubscription(visit, found, visit.words.texts.subscription.failures.other, 422);
  if (!maySee(found, deed)) return showSubscription(visit, found, null, 409);
  const { account, id } = found;
  const { ip, userAgent } = visit;
  try {
    const token = form.get("card_token") ?? "";
    if (deed === "card") await replaceCardAsPayer(account, { id, token, ip, userAgent }, intentOf(visit));
    else await cancelAsPayer(account, { id }, intentOf(visit));
  } catch (error) {
    return refuse(visit, deed, error);
  }
  const done = deed === "card" && found.owed?.isDue && !found.isPaused ? "cardNow" : deed;
  return seePage(visit.pathOf({ done }));
}

/** Nothing is done by a form that does not say what: what it does cannot be taken back. */
const deedOf = (act: string | null): Deed | null => (act === "cancel" || act === "card" ? act : null);

/** Says why at the form, of the subscription as it is now. */
async function refuse(visit: PageVisit, deed: Deed, error: unknown): Promise<Response> {
  const failure = error instanceof AppError ? error : new AppError("unavailable", { cause: error });
  if (failure !== error) log.error({ requestId: visit.requestId, error }, "a payer's request failed");
  const { texts } = visit.words;
  const { faults, subscription } = texts;
  const isCard = ["card_token_expired", "DUPLICATE_CARD_TOKEN", "validation_failed"].includes(failure.code);
  const failures = { ...subscription.failures, antifraud_refused: texts.failures.antifraud_refused };
  const text = failures[failure.code as keyof typeof failures] ?? failures.other;
  const note = deed === "card" && isCard ? faults.card : text;
  const { status } = renderError(failure, visit.requestId);
  const found = await findOfPayer(visit.token);
  return maySee(found, deed)
    ? showDeed(visit, found, deed, { note, status })
    : showSubscription(visit, found, note, status);
}
