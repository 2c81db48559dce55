import { leadBack } from "@/browser/checkout/lead-back";
import { masked, maskedNames } from "@/browser/checkout/masks";
import { watchPayment } from "@/browser/checkout/watch";
import { type CardFields, openCardFields } from "@/browser/fields/open";

/**
 * The script of the checkout. The page works without it, except for cards: it sends the page's own forms without leaving
 * the page, shows what the server answered, and asks how a payment stands.
 */

const ANSWER_WITHIN_MS = 45_000;

const byId = <E extends HTMLElement>(id: string, within: Document = document) => within.getElementById(id) as E | null;
const main = byId("main") as HTMLElement;

let cardFields: Promise<CardFields> | undefined;
let stopWatching = () => {};
let stopLeading = () => {};
/** Whether the person wants to stay on the receipt. */
let isStaying = false;
let isSending = false;
/** What was typed in the form that was sent last, by the fields' names. */
let typed: (readonly [name: string, value: string])[] = [];

/** Begins with what the page shows now. `isNew` says that its state came about just now, before the person's eyes. */
function begin(isNew = false) {
  stopWatching();
  stopLeading();
  cardFields = undefined;
  for (const form of main.querySelectorAll("form")) form.addEventListener("submit", (event) => submitted(form, event));
  for (const name of maskedNames)
    byId<HTMLInputElement>(name)?.addEventListener("input", (event) => masked(name, event));
  for (const input of main.querySelectorAll("input")) input.addEventListener("input", () => clear(input));
  for (const choice of main.querySelectorAll("[name=method]")) choice.addEventListener("change", chosen);
  byId("copy")?.addEventListener("click", copy);
  byId("code")?.addEventListener("focus", (event) => (event.target as HTMLInputElement).select());
  byId("print")?.addEventListener("click", () => print());
  byId("other")?.addEventListener("click", payOtherwise);
  chosen();
  const back = byId<HTMLAnchorElement>("back");
  if (back && isNew && !isStaying) {
    stopLeading = leadBack(back, () => {
      isStaying = true;
    });
  }
  const payment = byId("payment");
  if (!payment?.dataset.watch) return;
  const { self = location.href } = payment.dataset;
  rememberPayment(new URL(self, location.href).href);
  stopWatching = watchPayment(payment, () => load(self));
}

/** Shows the form once more, with what was typed, for another way to pay. */
async function payOtherwise(event: MouseEvent) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab, which has nothing typed
  event.preventDefault();
  const { href } = event.currentTarget as HTMLAnchorElement;
  try {
    show(await pageAt(href));
    history.pushState(null, "", href);
    fillIn(typed);
  } catch {
    location.assign(href);
  }
}

/** A field that changes has no fault until it is checked again. */
function clear(input: HTMLInputElement) {
  input.removeAttribute("aria-invalid");
  const note = byId(`${input.name}-note`);
  if (note) note.textContent = "";
}

const methodOf = (form: HTMLFormElement) => new FormData(form).get("method");

/** Opens the card fields when the card is chosen, and says on the button what it will do. */
function chosen() {
  const form = byId<HTMLFormElement>("pay");
  if (!form) return;
  const method = String(methodOf(form));
  const isCard = method === "card";
  const button = form.querySelector("button[type=submit]");
  if (button && !isSending) button.textContent = form.dataset[method] ?? "";
  const place = byId("card");
  if (!place) return;
  place.hidden = !isCard;
  if (isCard) cardFields ??= showCardFields(place);
  cardFields?.catch(() => {
    cardFields = undefined;
  });
}

async function showCardFields(place: HTMLElement): Promise<CardFields> {
  const loading = byId("card-loading") as HTMLElement;
  const frame = byId("card-frame") as HTMLElement;
  const { key: publicKey, locale, failed = "" } = place.dataset;
  loading.hidden = false;
  try {
    return await openCardFields(frame, { publicKey, locale, theme: "auto" });
  } catch (error) {
    frame.textContent = "";
    const note = byId("card-note");
    if (note) note.textContent = failed;
    throw error;
  } finally {
    loading.hidden = true;
  }
}

async function submitted(form: HTMLFormElement, event: Event) {
  event.preventDefault();
  if (isSending || isMissing(form)) return;
  const button = form.querySelector("button[type=submit]") as HTMLButtonElement;
  const label = button.textContent;
  const note = byId("form-note");
  isSending = true;
  button.setAttribute("aria-disabled", "true");
  button.textContent = form.dataset.busy ?? label;
  try {
    if (await withCard(form)) await send(form);
  } catch {
    if (note) note.textContent = form.dataset.offline ?? "";
  } finally {
    isSending = false;
    button.removeAttribute("aria-disabled");
    button.textContent = label;
    chosen();
  }
}

/** Marks the fields that must have a text and have none, as the server would. */
function isMissing(form: HTMLFormElement): boolean {
  const empty = [...form.querySelectorAll<HTMLInputElement>("[aria-required]")].filter(({ value }) => !value.trim());
  for (const input of empty) {
    input.setAttribute("aria-invalid", "true");
    const note = byId(`${input.name}-note`);
    if (note) note.textContent = input.dataset.required ?? "";
  }
  const note = byId("form-note");
  if (note) note.textContent = empty.length > 0 ? (form.dataset.invalid ?? "") : "";
  empty[0]?.focus();
  return empty.length > 0;
}

/** Tokenizes the card where one pays. False where the card fields have shown what is wrong. */
async function withCard(form: HTMLFormElement): Promise<boolean> {
  const token = form.elements.namedItem("card_token") as HTMLInputElement | null;
  if (!token) return true;
  token.value = "";
  if (methodOf(form) !== "card") return true;
  const place = byId("card") as HTMLElement;
  cardFields ??= showCardFields(place);
  const opened = await cardFields.catch(() => null);
  const made = await opened?.tokenize().catch(() => null);
  token.value = made?.token ?? "";
  return Boolean(made);
}

/** Sends a form as the browser would, and shows the answer: another page, or this one with its faults. */
async function send(form: HTMLFormElement) {
  const attempt = keepAttempt(form);
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const answer = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const page = parse(await answer.text());
  if (answer.redirected && (byId("payment", page) || byId("subscription", page))) {
    attempt.forget();
    rememberPayment(answer.url);
    typed = typedIn(form);
    isStaying = false;
    show(page, true);
    return history.pushState(null, "", answer.url);
  }
  if (!byId("main", page)) throw new Error("the answer is not ours"); // a proxy's, say
  const said = byId("notice", page)?.textContent;
  const note = byId("form-note");
  if (said && note && answer.status !== 404) {
    note.textContent = said; // what was typed stays
    return;
  }
  const next = page.querySelector<HTMLInputElement>("[name=attempt]")?.value;
  if (next && next !== body.get("attempt")) attempt.forget(); // it was answered for good
  if (form.id === "pay" && byId("pay", page)?.dataset.ways === form.dataset.ways) takeOver(form, page);
  else show(page);
}

type Attempt = { id: string; at: number };
const KEPT_MS = 60 * 60_000;

/**
 * Keeps what names this attempt until its answer is shown, so that a payer who sends the form once more pays once, also
 * after a reload. It is kept under a number of the payer's document, which many documents have.
 */
function keepAttempt(form: HTMLFormElement): { forget(): void } {
  const field = form.elements.namedItem("attempt") as HTMLInputElement | null;
  if (!field) return { forget() {} };
  const key = `${location.pathname} ${numberOf(byId<HTMLInputElement>("document")?.value ?? "")}`;
  const kept = inSession((session) => JSON.parse(session.getItem(key) ?? "null") as Attempt | null);
  const isKept = kept && kept.at > Date.now() - KEPT_MS;
  if (isKept) field.value = kept.id;
  const attempt: Attempt = { id: field.value, at: isKept ? kept.at : Date.now() };
  inSession((session) => session.setItem(key, JSON.stringify(attempt)));
  return { forget: () => inSession((session) => session.removeItem(key)) };
}

/** Under which the tab keeps the address of the last payment that was begun on this page, and for how long: others may use the tab. */
const LAST_PAYMENT = `${location.pathname} payment`;
const REMEMBERED_MS = 10 * 60_000;

const rememberPayment = (url: string) =>
  inSession((session) => session.setItem(LAST_PAYMENT, JSON.stringify({ url, at: Date.now() })));
const forgetPayment = () => inSession((session) => session.removeItem(LAST_PAYMENT));

function lastPayment(): string | undefined {
  const last = inSession((session) => JSON.parse(session.getItem(LAST_PAYMENT) ?? "null") as Last | null);
  return last && last.at > Date.now() - REMEMBERED_MS ? last.url : undefined;
}

type Last = { url: string; at: number };

const typedIn = (form: HTMLFormElement) =>
  [...new FormData(form)].flatMap(([name, value]) =>
    byId(name) || name === "method" ? [[name, String(value)] as const] : [],
  );

/**
 * Shows what has become of the tab's last payment to somebody who comes back to the form that began it, so that no second
 * payment is a tap away. While its code is open and there is another way to pay, it is the form with what was typed and the
 * way back to the code, whose place a new payment takes.
 */
async function comeBack(url: string) {
  main.inert = true;
  try {
    const page = await pageAt(url);
    const other = byId("other", page)?.getAttribute("href");
    const form = other ? await pageAt(other) : undefined;
    const fields = form && byId("pay", form);
    show(form && fields ? form : page);
    if (fields) return fillIn(typed);
    typed = [];
    history.replaceState(null, "", url);
  } catch {
    location.replace(url); // the browser says that nothing answers
  } finally {
    main.inert = false;
  }
}

function fillIn(values: typeof typed) {
  for (const [name, value] of values) {
    const choice = main.querySelector<HTMLInputElement>(`[name=method][value="${value}"]`);
    if (name === "method" && choice) choice.checked = true;
    const field = byId<HTMLInputElement>(name);
    if (field) field.value = value;
  }
  chosen();
}

const numberOf = (text: string) =>
  [...text.replace(/\W/g, "").toUpperCase()].reduce(
    (sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0,
    0,
  );

/** A browser may refuse us its storage; what is not kept then costs only what it is for. */
function inSession<T>(use: (session: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Takes the faults of the same form over, so that what was typed stays, and the card fields stay open. */
function takeOver(form: HTMLFormElement, page: Document) {
  for (const note of page.querySelectorAll(".note")) {
    const mine = byId(note.id);
    if (mine) mine.textContent = note.textContent;
  }
  for (const input of form.querySelectorAll("input")) {
    const theirs = byId(input.id, page);
    if (input.id && theirs?.hasAttribute("aria-invalid")) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  for (const name of ["attempt", "shown", "shown_days"]) {
    const theirs = page.querySelector<HTMLInputElement>(`[name=${name}]`);
    const mine = form.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (theirs && mine) mine.value = theirs.value;
  }
  for (const part of [".offer", "#consent"]) {
    const [theirs, mine] = [page.querySelector(part), main.querySelector(part)];
    if (theirs && mine) mine.replaceWith(document.adoptNode(theirs));
  }
  form.dataset.card = byId("pay", page)?.dataset.card ?? "";
  form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
}

/** Loads a page of ours into this one. */
const load = async (url: string) => show(await pageAt(url), true);

/** A page of ours. Throws where there is none, as without a network. */
async function pageAt(url: string): Promise<Document> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const page = parse(await answer.text());
  if (!answer.ok || !byId("main", page)) throw new Error("the answer is no page of ours");
  return page;
}

/** A page of ours without its style sheet and script, which are here already; our policy would report a second nonce. */
function parse(text: string): Document {
  const bare = text.replace(/<style[\s\S]*?<\/style>/, "").replace(/<script[\s\S]*?<\/script>/, "");
  return new DOMParser().parseFromString(bare, "text/html");
}

function show(page: Document, isNew = false) {
  const next = byId("main", page);
  if (!next) return;
  const hadFocus = main.contains(document.activeElement) || document.activeElement === document.body;
  main.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
  document.title = page.title;
  languageOf(document)?.setAttribute("href", languageOf(page)?.getAttribute("href") ?? "");
  begin(isNew);
  if (!hadFocus) return;
  scrollTo(0, 0);
  (byId("heading") ?? main).focus({ preventScroll: true });
}

/** The link to the same page in the other language. */
const languageOf = (page: Document) => page.querySelector("footer a");

let copiedTimer: ReturnType<typeof setTimeout> | undefined;

async function copy() {
  const code = byId<HTMLInputElement>("code") as HTMLInputElement;
  const button = byId("copy") as HTMLElement;
  await navigator.clipboard?.writeText(code.value).catch(() => byHand(code));
  if (!navigator.clipboard) byHand(code);
  button.dataset.label ??= button.textContent ?? "";
  button.textContent = button.dataset.copied ?? "";
  const announce = byId("announce");
  if (announce) announce.textContent = button.dataset.copied ?? "";
  clearTimeout(copiedTimer);
  copiedTimer = setTimeout(() => {
    button.textContent = button.dataset.label ?? "";
  }, 3_000);
}

/** Over plain HTTP browsers have no clipboard for scripts, but still copy what is selected. */
function byHand(code: HTMLInputElement) {
  code.select();
  document.execCommand("copy");
}

document.documentElement.classList.add("js");
begin();

/** Whoever opens the page anew, as by its link, may pay once more. */
function arrive() {
  const last = lastPayment();
  if (!last || !byId("pay")) return;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (navigation?.type === "reload" || navigation?.type === "back_forward") comeBack(last);
  else forgetPayment();
}

arrive();
addEventListener("popstate", () => {
  const last = lastPayment();
  const isOfPayment = new URL(location.href).searchParams.has("payment");
  if (last && !isOfPayment) comeBack(last);
  else location.reload();
});
