import {
  brandSoFar,
  cardOf,
  caretIn,
  type Fault,
  faultOf,
  formatted,
  type Name,
  nameAt,
  names,
  pathOf,
} from "@/browser/fields/inputs";
import type { Setup } from "@/browser/fields/page";
import { readFragment, variablesOf } from "@/browser/fields/style";
import type { Errors, Failure, FromFields, ToFields, Token } from "@/browser/fields/talk";
import { brandName } from "@/components/cards/brand-name";
import { plain } from "@/lib/typed/text";

/** The script of the card fields' page. What is typed is sent in one request only, to our own origin. */

const PATH = "/api/public/v1/card-tokens";
/** A page token lives 10 minutes. */
const TOKEN_IS_OLD_MS = 8 * 60_000;
const ANSWER_WITHIN_MS = 30_000;

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const setup: Setup = JSON.parse(byId("setup").textContent);
const { empty, faults: faultTexts, failures: failureTexts } = setup.texts;
const textOf = (name: Name, fault: Fault) => (fault === "required" ? empty[name] : faultTexts[fault]);

const inputs = Object.fromEntries(names.map((name) => [name, byId<HTMLInputElement>(name)])) as Record<
  Name,
  HTMLInputElement
>;
/** The faults that the server reported; each stays until its field changes. */
const reported = new Map<Name, { path: string; text: string }>();
const shown = new Set<Name>();

/** The likely fault of each field where the server finds one that this script did not find. */
const likely: Record<Name, Fault> = { number: "number", holder_name: "required", expiry: "expired", cvv: "cvv" };

let pageToken = { text: setup.pageToken, since: Date.now() };
let lastChange = "";

/** Posts a message to the one origin that the server fixed when it served this page. */
function say(message: FromFields) {
  if (setup.parent && window.parent !== window) window.parent.postMessage(message, setup.parent);
}

function fault(name: Name): { path: string; text: string } | undefined {
  const found: Fault | undefined = faultOf(name, inputs[name].value);
  return found ? { path: pathOf(name, inputs[name].value), text: textOf(name, found) } : reported.get(name);
}

/** Shows what is wrong where it may be shown, and notifies the page around us of a change. */
function refresh() {
  const errors: Errors = {};
  for (const name of names) {
    const wrong = shown.has(name) ? fault(name) : undefined;
    if (wrong) errors[wrong.path] = wrong.text;
    byId(`${name}-note`).textContent = wrong?.text ?? "";
    if (wrong) inputs[name].setAttribute("aria-invalid", "true");
    else inputs[name].removeAttribute("aria-invalid");
  }
  const brand = brandSoFar(inputs.number.value) ?? null;
  byId("brand").textContent = brand ? brandName(brand) : "";
  const change = { complete: !names.some(fault), brand, errors };
  if (JSON.stringify(change) === lastChange) return errors;
  lastChange = JSON.stringify(change);
  say({ repasse: "change", change });
  return errors;
}

function typed(name: Name, event: Event) {
  const input = inputs[name];
  const { value, selectionStart } = input;
  const isDeleting = (event as InputEvent).inputType?.startsWith("delete") ?? false;
  const text = formatted(name, value, isDeleting);
  if (text !== value) {
    const before = value.slice(0, selectionStart ?? value.length);
    input.value = text;
    if (before !== value) {
      const caret = caretIn(text, plain(before).replace(/\D/g, "").length);
      input.setSelectionRange(caret, caret);
    }
  }
  reported.delete(name);
  byId("failure").textContent = "";
  refresh();
}

/** Tokenizes the card, or shows what is wrong with it. */
async function tokenize(): Promise<Token | Failure> {
  for (const name of names) shown.add(name);
  byId("failure").textContent = "";
  const errors = refresh();
  if (Object.keys(errors).length > 0) return focusFirst({ code: "invalid_card", errors });
  lock(true);
  try {
    const answer = await sendCard();
    if (answer.status === 201) return ((await answer.json()) as { data: Token }).data;
    if (answer.status === 422) return focusFirst({ code: "invalid_card", errors: await theirFaults(answer) });
    if (answer.status === 429) return failed("rate_limit_exceeded", failureTexts.limited);
    const isRefused = answer.status === 401 || answer.status === 403;
    return isRefused ? failed("refused", failureTexts.refused) : failed("unavailable", failureTexts.unavailable);
  } catch {
    return failed("unavailable", failureTexts.unavailable);
  } finally {
    lock(false);
  }
}

async function sendCard(): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  if (Date.now() - pageToken.since > TOKEN_IS_OLD_MS) {
    const page = await fetch(location.pathname + location.search, { method: "HEAD", credentials: "omit", signal });
    const text = page.headers.get("x-page-token");
    if (text) pageToken = { text, since: Date.now() };
  }
  const values = Object.fromEntries(names.map((name) => [name, inputs[name].value])) as Record<Name, string>;
  return fetch(PATH, {
    method: "POST",
    credentials: "omit",
    headers: { "content-type": "application/json", "x-public-key": setup.publicKey, "x-page-token": pageToken.text },
    body: JSON.stringify({ card: cardOf(values) }),
    signal,
  });
}

/** The server's faults, each as a text in this page's language. */
async function theirFaults(answer: Response): Promise<Errors> {
  const { errors } = (await answer.json()) as { errors: Record<string, string[]> };
  for (const path of Object.keys(errors)) {
    const name = nameAt(path);
    if (name) reported.set(name, { path, text: textOf(name, likely[name]) });
  }
  return refresh();
}

function focusFirst({ code, errors }: Omit<Failure, "message">): Failure {
  names
    .map((name) => inputs[name])
    .find((input) => input.hasAttribute("aria-invalid"))
    ?.focus();
  return { code, message: failureTexts.invalid, errors };
}

function failed(code: string, message: string): Failure {
  byId("failure").textContent = message;
  return { code, message, errors: {} };
}

function lock(isLocked: boolean) {
  for (const name of names) inputs[name].readOnly = isLocked;
}

for (const [variable, value] of variablesOf(readFragment(location.hash))) {
  document.documentElement.style.setProperty(variable, value);
}
for (const name of names) {
  inputs[name].addEventListener("input", (event) => typed(name, event));
  inputs[name].addEventListener("blur", () => {
    if (inputs[name].value) shown.add(name);
    refresh();
  });
}
document.forms[0]?.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("message", async ({ source, origin, data }: MessageEvent<ToFields>) => {
  if (source !== window.parent || origin !== setup.parent || data?.repasse !== "tokenize") return;
  const { id } = data;
  const result = await tokenize();
  say("token" in result ? { repasse: "token", id, token: result } : { repasse: "failed", id, failure: result });
});
const content = document.querySelector("main") as HTMLElement;
new ResizeObserver(() => say({ repasse: "height", height: Math.ceil(content.offsetHeight) })).observe(content);
say({ repasse: "ready" });
