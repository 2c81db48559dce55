const WINDOWS = '[role="dialog"], [role="alertdialog"], dialog[open]';

/** The last element with the focus in each window, and in the page below them. */
const lastFocused = new WeakMap<Element, HTMLElement>();

if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) lastFocused.set(target.closest(WINDOWS) ?? document.body, target);
  });
}

/**
 * Returns the focus to the element that opened a closing window. Radix knows only its own triggers, and a button that
 * was busy has lost the focus, so the last focused element is remembered here. If it is gone, the content gets the
 * focus.
 */
export function returnFocus(event: Event) {
  event.preventDefault();
  focusBelow(event.target);
}

/** Returns the focus for a window that is not Radix's. */
export function focusBelow(closing: EventTarget | null) {
  const below = [...document.querySelectorAll<HTMLElement>(WINDOWS)].filter((window) => window !== closing).at(-1);
  const opener = lastFocused.get(below ?? document.body);
  const isThere = opener?.isConnected && !opener.matches(":disabled");
  (isThere ? opener : (below ?? document.getElementById("content")))?.focus({ preventScroll: true });
}

/** Focuses the first field of a window that opens. Without a field Radix decides. */
export function focusFirstField(event: Event) {
  const fields = "input:not([readonly], [type=hidden]), select, textarea";
  const field = (event.target as Element).querySelector<HTMLElement>(fields);
  if (!field) return;
  event.preventDefault();
  field.focus();
}
