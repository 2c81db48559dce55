import { type Html, html } from "@/browser/checkout/html";
import { offerHead, type Shown } from "@/browser/checkout/page";
import { fill, type Words } from "@/browser/checkout/words";
import { type BillingName, type MethodName, methodNames } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";

export const personFields = ["name", "email", "document", "phone"] as const;
export const addressFields = ["postal_code", "street", "number", "complement", "district", "city", "state"] as const;
export type FieldName = (typeof personFields)[number] | (typeof addressFields)[number];

/** What was typed, and what is wrong with it: the text of each field's fault, and of the form's. */
export type Typed = {
  values: Partial<Record<FieldName, string>>;
  method: string | null;
  notes: Partial<Record<FieldName | "card" | "method" | "form", string>>;
};

export type FormOptions = {
  shown: Shown;
  /** Where the form is sent. */
  action: string;
  /** How a plan is billed, whose payment begins a subscription; null for a link. */
  billing: BillingName | null;
  methods: readonly MethodName[];
  collectsAddress: boolean;
  /** Names this visitor's attempt, so that a repeat pays once. */
  attempt: string;
  /** Where this visitor came from, by the names of the fields that carry it. */
  tracked: Readonly<Record<string, string>>;
  /** The payer's own open code, which this payment replaces: its id and its page. */
  replaces: { id: string; page: string } | null;
  /** With which the card fields are opened; null where they are not. */
  publicKey: string | null;
  typed: Typed;
};

const NOTHING_TYPED: Typed = { values: {}, method: null, notes: {} };

export { NOTHING_TYPED };

/** The offer and the form that pays it. It works without its script, except for cards. */
export function formPage(words: Words, options: FormOptions): Html {
  const { texts } = words;
  const { shown, methods, typed, action, attempt, replaces, publicKey, tracked } = options;
  const chosen = methods.find((method) => method === typed.method) ?? methods[0] ?? methodNames[0];
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${offerHead(words, shown)}
<form class="card" id="pay" data-ways="${[options.billing, ...methods].join(" ")}" method="post" action="${action}" novalidate data-offline="${texts.failures.offline}"
 data-busy="${texts.submit.busy}" data-invalid="${texts.failures.invalid}"${methodNames.map((name) => html` data-${name}="${submitOf(words, shown, name)}"`)}>
${hidden("attempt", attempt)}${hidden("shown", decimal(shown.amount))}${shown.periodicityDays && hidden("shown_days", String(shown.periodicityDays))}${options.billing && hidden("shown_billing", options.billing)}${replaces && hidden("replaces", replaces.id)}${Object.entries(tracked).map(([name, value]) => hidden(name, value))}
${replaces && html`<p><a href="${replaces.page}">${texts.openCode}</a></p>`}
<fieldset>
<legend>${texts.person}</legend>
${personFields.map((name) => field(words, name, typed))}
</fieldset>
${
  options.collectsAddress &&
  html`<fieldset>
<legend>${texts.delivery}</legend>
<div class="grid">${addressFields.map((name) => field(words, name, typed))}</div>
</fieldset>`
}
${methodsOf(words, { methods, chosen, note: typed.notes.method })}
${publicKey && methods.includes("card") && cardFields(words, { publicKey, methods, note: typed.notes.card })}
${options.billing && html`<p class="muted" id="consent">${consentOf(words, shown, options.billing)}</p>`}
<p class="note form-note" id="form-note" role="alert">${typed.notes.form}</p>
<button class="primary" type="submit">${submitOf(words, shown, chosen)}</button>
</form>`;
}

/** What the button says that begins a payment by this method. */
const submitOf = ({ methods, money }: Words, { amount }: Shown, method: MethodName) =>
  fill(methods[method].submit, { amount: money(amount) });

/** What a subscriber agrees to: how the charges after the first one are paid. */
const consentOf = (
  { texts, period, money }: Words,
  { seller, amount, periodicityDays, isInMonths }: Shown,
  billing: NonNullable<FormOptions["billing"]>,
) => {
  const how = { credit_card: texts.consent, pix_automatico: texts.automatic, qr_code: texts.byCode }[billing];
  return fill(how, { seller, amount: money(amount), period: period(periodicityDays ?? 0, isInMonths) });
};

function methodsOf(
  { texts, methods: names }: Words,
  { methods, chosen, note }: { methods: readonly MethodName[]; chosen: MethodName; note: string | undefined },
) {
  if (methods.length < 2) return html`<input type="hidden" name="method" value="${chosen}">`;
  return html`<fieldset>
<legend>${texts.how}</legend>
<div class="methods">${methods.map((method) => {
    const { name, note: about } = names[method];
    return html`<label class="method"><input type="radio" name="method" value="${method}"${method === chosen && html` checked`}>
<span><b>${name}</b><small>${about}</small></span></label>`;
  })}</div>
<p class="note" id="method-note">${note}</p>
</fieldset>`;
}

/** The script opens our card fields in here when the card is chosen. */
export const cardFields = (
  { texts, locale }: Words,
  { publicKey, methods, note }: { publicKey: string; methods: readonly MethodName[]; note: string | undefined },
) => html`<div id="card" class="card-fields" data-key="${publicKey}" data-locale="${locale}" data-failed="${texts.cardFailed}${methods.includes("pix") && ` ${texts.orPix}`}">
<p class="muted without-script">${texts.cardNeedsScript}</p>
<p class="muted" id="card-loading">${texts.cardLoading}</p>
<div id="card-frame"></div>
<p class="note" id="card-note">${note}</p>
<input type="hidden" name="card_token" value="">
</div>`;

const attributes: Record<FieldName, Html> = {
  name: html`autocomplete="name" maxlength="255" autocapitalize="words" spellcheck="false"`,
  email: html`type="email" autocomplete="email" maxlength="314" autocapitalize="none" spellcheck="false"`,
  document: html`inputmode="text" autocomplete="off" maxlength="60" autocapitalize="characters" spellcheck="false"`,
  phone: html`type="tel" autocomplete="tel-national" maxlength="60"`,
  postal_code: html`inputmode="numeric" autocomplete="postal-code" maxlength="60"`,
  street: html`autocomplete="address-line1" maxlength="150"`,
  number: html`maxlength="20" autocomplete="off"`,
  complement: html`autocomplete="address-line2" maxlength="100"`,
  district: html`autocomplete="address-level3" maxlength="100"`,
  city: html`autocomplete="address-level2" maxlength="100"`,
  state: html`autocomplete="address-level1" maxlength="60" autocapitalize="characters"`,
};

/** A field that must have a text says what to do where it has none. */
const required = (texts: Partial<Record<FieldName, string>>, name: FieldName) =>
  texts[name] !== undefined && html` aria-required="true" data-required="${texts[name]}"`;

function field({ texts }: Words, name: FieldName, { values, notes }: Typed): Html {
  const note = notes[name];
  return html`<div class="field ${name}">
<label for="${name}">${texts.fields[name]}</label>
<input id="${name}" name="${name}" value="${values[name] ?? ""}" ${attributes[name]} aria-describedby="${name}-note"${required(texts.missingField, name)}${note && html` aria-invalid="true"`}>
<p class="note" id="${name}-note">${note}</p>
</div>`;
}
