import type { Change, Failure, FromFields, Style, ToFields, Token } from "@/browser/fields/talk";

/** `/fields.js` runs in the seller's page: it shows our card fields and passes tokens on. It never sees a card. */

const MIN_HEIGHT = 240;
const MAX_HEIGHT = 1_200;
/** Counted from when the frame has loaded. A browser that refuses the frame reports that in its console only. */
const READY_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 45_000;
/** How long a press counts whose end was not seen, because it came over our frame. */
const PRESS_MS = 3_000;
const TITLES = { "pt-BR": "Dados do cartão", en: "Card details" };

type Options = {
  publicKey: string;
  locale?: keyof typeof TITLES;
  /** `auto` is the theme of the visitor's system; `light` by default. */
  theme?: "light" | "dark" | "auto";
  style?: Style;
  onReady?: () => void;
  onChange?: (change: Change) => void;
};

/** `tokenize` rejects with an Error that has `code`, and `errors` by field path where the card has faults. */
type Fields = { tokenize: () => Promise<Token>; destroy: () => void };

type Waiting = { resolve: (token: Token) => void; reject: (error: Error) => void };

/** Resolves when no button of the page is being pressed. */
let released = Promise.resolve();
window.addEventListener("pointerdown", () => {
  released = new Promise((done) => {
    window.addEventListener("pointerup", () => setTimeout(done), { once: true });
    setTimeout(done, PRESS_MS);
  });
});

const script = document.currentScript as HTMLScriptElement | null;
const ours = script && new URL(script.src).origin;

function fields(element: Element, options: Options): Fields {
  if (!ours) throw new Error("Repasse: load fields.js with a <script src> of its own.");
  const { publicKey, locale = "pt-BR", theme = "light", style = {}, onReady, onChange } = options;
  const waiting = new Map<number, Waiting>();
  let state: "loading" | "ready" | "failed" | "destroyed" = "loading";
  let last = 0;

  const frame = document.createElement("iframe");
  frame.title = TITLES[locale] ?? TITLES["pt-BR"];
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.style.cssText = `display:block;width:100%;height:${MIN_HEIGHT}px;border:0`;
  frame.style.colorScheme = theme === "auto" ? "light dark" : theme;
  const asked = new URLSearchParams({ key: publicKey, parent: location.origin, locale, theme });
  frame.src = `${ours}/fields?${asked}#${encodeURIComponent(JSON.stringify(style))}`;
  frame.addEventListener("load", () => setTimeout(giveUp, READY_WITHIN_MS));
  window.addEventListener("message", receive);
  element.append(frame);
  return { tokenize, destroy };

  function tokenize(): Promise<Token> {
    return new Promise((resolve, reject) => {
      if (state === "failed" || state === "destroyed") return reject(unusable());
      last += 1;
      const id = last;
      const timer = setTimeout(
        () => reject(failure("unavailable", "the card fields did not answer")),
        ANSWER_WITHIN_MS,
      );
      const ended =
        <T>(end: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          waiting.delete(id);
          end(value);
        };
      waiting.set(id, { resolve: ended(resolve), reject: ended(reject) });
      if (state === "ready") ask(id);
    });
  }

  function ask(id: number) {
    frame.contentWindow?.postMessage({ repasse: "tokenize", id } satisfies ToFields, ours as string);
  }

  function receive({ source, origin, data }: MessageEvent<FromFields>) {
    if (source !== frame.contentWindow || origin !== ours) return;
    if (data.repasse === "height") {
      const height = Math.min(Math.max(Number(data.height) || 0, MIN_HEIGHT), MAX_HEIGHT);
      // A button that moves away under a press is not clicked: the field that loses the focus shows its fault meanwhile.
      released.then(() => {
        frame.style.height = `${height}px`;
      });
    } else if (data.repasse === "ready") {
      state = "ready";
      for (const id of waiting.keys()) ask(id);
      onReady?.();
    } else if (data.repasse === "change") {
      onChange?.(data.change);
    } else if (data.repasse === "token") {
      waiting.get(data.id)?.resolve(data.token);
    } else if (data.repasse === "failed") {
      waiting.get(data.id)?.reject(failure(data.failure.code, data.failure.message, data.failure.errors));
    }
  }

  function giveUp() {
    if (state === "loading") end("failed");
  }

  function destroy() {
    window.removeEventListener("message", receive);
    frame.remove();
    end("destroyed");
  }

  function end(as: "failed" | "destroyed") {
    state = as;
    for (const { reject } of [...waiting.values()]) reject(unusable());
  }

  function unusable() {
    if (state === "destroyed") return failure("destroyed", "these card fields were destroyed");
    return failure(
      "not_loaded",
      `the card fields were not loaded: is ${location.origin} a registered domain of the key?`,
    );
  }
}

const failure = (code: string, message: string, errors: Failure["errors"] = {}) =>
  Object.assign(new Error(message), { code, errors });

Object.assign(window, { Repasse: { fields } });
