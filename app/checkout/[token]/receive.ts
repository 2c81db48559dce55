import { intentOf, type PageVisit, seeOther } from "@/app/checkout/[token]/answer";
import { enrolledCookie } from "@/app/checkout/[token]/enrolled";
import { showOffer, showPayment } from "@/app/checkout/[token]/show";
import { addressFields, type FieldName, personFields, type Typed } from "@/browser/checkout/form";
import { asFirst } from "@/lib/checkout/attempt";
import { enrollInPlan } from "@/lib/checkout/enroll";
import { findOffer, type Offer } from "@/lib/checkout/find";
import { payLink } from "@/lib/checkout/pay";
import { renewPayment } from "@/lib/checkout/renew";
import { CheckoutEnroll, CheckoutPay, CheckoutStarted } from "@/lib/checkout/schema";
import { findPayment } from "@/lib/checkout/status";
import { AppError, renderError } from "@/lib/errors";
import { readText } from "@/lib/http/body";
import { check } from "@/lib/http/check";
import { replayOf } from "@/lib/idempotency";
import { isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { assertNoCardData } from "@/lib/pan/detect";
import { givenBy, trackedIn, trackedNames } from "@/lib/transactions/tracking";
import { phoneOf } from "@/lib/typed/phones";

const MAX_BYTES = 8_000;

/**
 * Takes a form of the page: the payer's, or the one for another code. Answers with the payment's page, or with the same
 * form, what was typed and what is wrong with it.
 */
export async function receiveForm(visit: PageVisit): Promise<Response> {
  const form = new URLSearchParams(await readText(visit.request, MAX_BYTES));
  const { token, payment, ip, userAgent } = visit;
  const [from, intent] = [{ token, ip, userAgent }, intentOf(visit)];
  if (payment && form.has("again")) return renew(visit, payment, form);
  const [attempt, replaces] = [idIn(form, "attempt"), idIn(form, "replaces")];
  let enrolling: { accountId: string; email: string } | undefined;
  const pay = async () => {
    const offer = await findOffer(token);
    assertNoCardData(Object.fromEntries([...form].filter(([name]) => !OURS.includes(name))));
    const body = { ...bodyOf(form, offer), ...givenBy(trackedIn(form)), attempt, replaces };
    if (offer.kind !== "plan") return (await payLink({ ...check(CheckoutPay, body), ...from }, intent)).data;
    const person = check(CheckoutEnroll, body);
    enrolling = { accountId: offer.account.id, email: person.email };
    return (await enrollInPlan({ ...person, ...from }, intent)).data;
  };
  const outcome = await outcomeOf(asFirst(token, attempt, pay));
  if ("payment" in outcome) {
    const { payment, subscription_token: id } = outcome;
    return seeOther(visit, payment, enrolling && id ? enrolledCookie(token, { ...enrolling, id }) : undefined);
  }
  if (outcome.failure.code === "checkout_paid" && replaces) return seeOther(visit, replaces);
  return refuse(visit, form, outcome.failure);
}

/** Gives another code in place of a payment's. Where it is refused, a subscriber sees the payment, and others the form. */
async function renew(visit: PageVisit, payment: string, form: URLSearchParams) {
  const { token, ip, userAgent } = visit;
  const renewed = renewPayment({ id: payment, token, ip, userAgent }, intentOf(visit));
  const outcome = await outcomeOf(renewed.then(begunBy));
  if ("payment" in outcome) return seeOther(visit, outcome.payment);
  const { failure } = outcome;
  if (NOT_RENEWED.includes(failure.code)) return seeOther(visit, payment);
  const found = await findPayment(visit.token, payment);
  if (!found.sale.subscriptionId) return refuse(visit, form, failure);
  return showPayment(visit, found, { note: noteOf(visit, failure), status: failure.status });
}

/** Where another code is refused so, the payment's page says how it stands. */
const NOT_RENEWED = ["invalid_transition", "charge_not_open", "checkout_paid"];

/** The members of the form that nobody types. */
const OURS = ["attempt", "shown", "shown_days", "shown_billing", "replaces", "card_token", ...trackedNames];

function bodyOf(form: URLSearchParams, { collectAddress }: Offer) {
  const token = form.get("card_token");
  return {
    ...Object.fromEntries(personFields.map((name) => [name, form.get(name) ?? ""])),
    ...(collectAddress && { address: Object.fromEntries(addressFields.map((name) => [name, form.get(name) ?? ""])) }),
    method: form.get("method") ?? "",
    card: token ? { token } : null,
    shown: form.get("shown"),
    shown_days: form.get("shown_days"),
    shown_billing: form.get("shown_billing"),
  };
}

const idIn = (form: URLSearchParams, name: string) => {
  const id = form.get(name) ?? "";
  return isId(id) ? id : null;
};

/** The payment that began and the subscription that it begins, or why none did. */
type Begun = { payment: string; subscription_token?: string | null };
type Outcome = Begun | { failure: Failure };
const begunBy = (payment: string): Begun => ({ payment });
type Failure = {
  code: string;
  paths: string[];
  status: number;
  /** Whether it is what the attempt is answered for good. Until then the same attempt is made again. */
  isFinal: boolean;
};

/** What a verb answered, now or to an earlier request of the same attempt. */
async function outcomeOf(work: Promise<Begun>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    const earlier = replayOf(error);
    if (earlier && earlier.status < 400) return CheckoutStarted.parse(JSON.parse(earlier.body)).data;
    if (earlier) {
      return { failure: { code: JSON.parse(earlier.body).error, paths: [], status: earlier.status, isFinal: true } };
    }
    if (!(error instanceof AppError)) log.error({ error }, "the checkout failed");
    const known = error instanceof AppError ? error : new AppError("unavailable", { cause: error });
    if (known.code === "checkout_not_found") throw known;
    const paths = Object.keys(known.options.faults ?? {});
    const { isKept: isFinal = false } = known.options;
    return { failure: { code: known.code, paths, status: renderError(known, "").status, isFinal } };
  }
}

/** The form again, of the offer as it is now. */
async function refuse(visit: PageVisit, form: URLSearchParams, failure: Failure) {
  const offer = await findOffer(visit.token);
  const names = [...personFields, ...addressFields];
  const values = Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]));
  const typed = { values, method: form.get("method"), notes: notesOf(visit, offer, form, failure) };
  const attempt = failure.isFinal ? undefined : (idIn(form, "attempt") ?? undefined);
  return showOffer({ ...visit, tracked: trackedIn(form) }, offer, { typed, attempt, status: failure.status });
}

/** The text of each fault at its field, in the visitor's language. */
function notesOf(visit: PageVisit, { methods }: Offer, form: URLSearchParams, failure: Failure): Typed["notes"] {
  const { texts } = visit.words;
  const { faults, failures } = texts;
  const empty: Partial<Record<string, string>> = texts.missingField;
  const { code, paths } = failure;
  const notes: Typed["notes"] = {};
  for (const path of paths) {
    const name = path.replace(/^address\./, "").split(".")[0] as FieldName | "card" | "method";
    const isEmpty = name !== "card" && name !== "method" && !form.get(name)?.trim();
    notes[name] = (isEmpty && empty[name]) || (faults[name as keyof typeof faults] ?? faults.other);
    if (name === "phone") notes[name] = phoneNote(texts, form.get("phone") ?? "");
  }
  const isFaults = paths.length > 0;
  const isCard = ["card_token_expired", "DUPLICATE_CARD_TOKEN"].includes(code);
  if (isCard) return { card: faults.card };
  if (isFaults) return { ...notes, form: failures.invalid };
  const isRefused = code === "card_refused" || code === "antifraud_refused";
  const text = noteOf(visit, failure);
  return { form: isRefused && methods.includes("pix") ? `${text} ${texts.orPix}` : text };
}

/** What is wrong with a phone, as exactly as is known. */
function phoneNote({ faults, phoneFaults }: PageVisit["words"]["texts"], typed: string): string {
  const reading = phoneOf(typed);
  const fault = "fault" in reading ? reading.fault : "form";
  return fault === "form" ? faults.phone : phoneFaults[fault];
}

function noteOf({ words }: PageVisit, { code }: Failure): string {
  const { failures } = words.texts;
  return failures[code as keyof typeof failures] ?? failures.other;
}
