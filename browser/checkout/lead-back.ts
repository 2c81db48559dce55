/** After how many seconds the page leads back to the shop. */
const SECONDS = 5;

/**
 * Leads to the shop by the link of the page after some seconds in which the page is seen, says so, and can be stopped: by its
 * button, and by anything else that is used in the receipt. Returns how to stop; `stayed` is called when a person stopped it.
 */
export function leadBack(back: HTMLAnchorElement, stayed: () => void): () => void {
  const part = (id: string) => document.getElementById(id);
  const [leaving, stay, announce, payment] = ["leaving", "stay", "announce", "payment"].map(part);
  const textOf = (seconds: number) => (leaving?.dataset.text ?? "").replace("{seconds}", String(seconds));
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let left = SECONDS;
  if (leaving) leaving.textContent = textOf(left);
  if (announce) announce.textContent = textOf(left);
  for (const shown of [leaving, stay]) if (shown) shown.hidden = false;
  const ticking = setInterval(tick, 1_000);
  payment?.addEventListener("click", used);
  return end;

  function tick() {
    if (document.visibilityState !== "visible") return; // the payer is at their bank
    left -= 1;
    if (left > 0) {
      if (leaving && !isStill) leaving.textContent = textOf(left);
      return;
    }
    end();
    location.assign(back.href);
  }

  function used({ target }: Event) {
    end();
    stayed();
    if (target === stay && announce) announce.textContent = leaving?.dataset.stayed ?? "";
    if (target === stay) back.focus();
  }

  function end() {
    clearInterval(ticking);
    payment?.removeEventListener("click", used);
    for (const shown of [leaving, stay]) if (shown) shown.hidden = true;
  }
}
