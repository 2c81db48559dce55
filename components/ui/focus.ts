const WINDOWS = '[role="dialog"], [role="alertdialog"], dialog[open]';

/** What had the focus last in each window, and in the page below them. */
const lastFocused = new WeakMap<Element, HTMLElement>();

if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) lastFocused.set(target.closest(WINDOWS) ?? document.body, target);
  });
}

/**
 * Gives the focus back to what opened a window that closes. Radix knows only its own triggers, and a button that was
 * busy meanwhile has lost the focus, so what had it last is remembered here. If that is gone, the content gets it.
 */
export function returnFocus(event: Event) {
  event.preventDefault();
  focusBelow(event.target);
}

/** The same for a window that is not Radix's. */
export function focusBelow(closing: EventTarget | null) {
  const below = [...document.querySelectorAll<HTMLElement>(WINDOWS)].filter((window) => window !== closing).at(-1);
  const opener = lastFocused.get(below ?? document.body);
  const isThere = opener?.isConnected && !opener.matches(":disabled");
  (isThere ? opener : (below ?? document.getElementById("content")))?.focus({ preventScroll: true });
}

/** Gives the focus of a window that opens to its first field, and else leaves it to Radix. */
export function focusFirstField(event: Event) {
  const fields = "input:not([readonly], [type=hidden]), select, textarea";
  const field = (event.target as Element).querySelector<HTMLElement>(fields);
  if (!field) return;
  event.preventDefault();
  field.focus();
}
