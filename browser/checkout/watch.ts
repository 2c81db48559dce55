import type { CheckoutStatus } from "@/lib/checkout/schema";

/** How often a payment is asked about: at first before two seconds are over, then less and less. */
const PACES: readonly [untilMs: number, everyMs: number][] = [
  [10 * 60_000, 1_500],
  [30 * 60_000, 4_000],
  [Number.POSITIVE_INFINITY, 15_000],
];
/** A page that nobody sees asks seldom, and at once when it is seen again. */
const HIDDEN_MS = 20_000;
const MAX_WAIT_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;
/** Of a code that is valid for longer the page says until when, and counts nothing down. */
const LONG_SECONDS = 3_600;

/**
 * Asks how a payment stands until `changed` must show another state, and counts its time down. Returns how to stop.
 */
export function watchPayment(payment: HTMLElement, changed: () => Promise<void>): () => void {
  const { watch = "", status, automatic = "", seconds, five, one, over, waiting, reconnecting } = payment.dataset;
  const part = (id: string) => document.getElementById(id);
  const since = performance.now();
  let endsAt = seconds ? since + Number(seconds) * 1_000 : undefined;
  let failures = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  const announced = new Set<string>();

  const ticking = endsAt === undefined ? undefined : setInterval(tick, 1_000);
  tick();
  const now = () => {
    failures = 0;
    schedule(0);
  };
  const seen = () => document.visibilityState === "visible" && now();
  document.addEventListener("visibilitychange", seen);
  for (const event of ["online", "pageshow", "focus"]) addEventListener(event, now);
  schedule(pace());
  return stop;

  function stop() {
    isOver = true;
    clearTimeout(timer);
    clearInterval(ticking);
    asking?.abort();
    document.removeEventListener("visibilitychange", seen);
    for (const event of ["online", "pageshow", "focus"]) removeEventListener(event, now);
  }

  function schedule(inMs: number) {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(ask, inMs);
  }

  function pace(): number {
    if (document.visibilityState === "hidden") return HIDDEN_MS;
    const age = performance.now() - since;
    const usual = PACES.find(([untilMs]) => age < untilMs)?.[1] ?? MAX_WAIT_MS;
    return Math.min(MAX_WAIT_MS, (status === "expired" ? usual * 2 : usual) * 2 ** Math.min(failures, 5));
  }

  async function ask() {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const late = setTimeout(() => mine.abort(), ANSWER_WITHIN_MS);
    let waitMs = 0;
    try {
      const answer = await fetch(watch, { signal: mine.signal, cache: "no-store" });
      if (answer.status === 429) waitMs = Number(answer.headers.get("retry-after") ?? 0) * 1_000;
      if (!answer.ok) throw new Error(String(answer.status));
      const { data } = (await answer.json()) as { data: CheckoutStatus };
      failures = 0;
      if (data.seconds_left !== null) endsAt = performance.now() + data.seconds_left * 1_000;
      const isCodeMade = payment.hasAttribute("data-awaits-code") && data.pix_code !== null;
      const isAnother =
        data.status !== status || isCodeMade || (status === "paid" && (data.automatic ?? "") !== automatic);
      if (isAnother && !isOver) await changed();
    } catch {
      if (asking !== mine) return; // a newer question has taken its place
      failures += 1;
    } finally {
      clearTimeout(late);
    }
    if (asking !== mine) return;
    live();
    schedule(Math.max(pace(), waitMs));
  }

  function live() {
    const text = failures > 1 ? reconnecting : waiting;
    const place = part("live");
    if (place && text && place.textContent !== text) place.textContent = text;
    payment.toggleAttribute("data-away", failures > 1);
  }

  /** Shows the time left, which nobody hears each second: it is announced three times. */
  function tick() {
    if (endsAt === undefined) return;
    const left = Math.max(0, Math.round((endsAt - performance.now()) / 1_000));
    const place = part("left");
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (place && left < LONG_SECONDS) place.textContent = (place.dataset.text ?? "").replace("{time}", time);
    if (left <= 300 && left > 240) announce(five);
    if (left <= 60 && left > 0) announce(one);
    if (left > 0) return;
    announce(over);
    clearInterval(ticking);
    now();
  }

  function announce(text: string | undefined) {
    const place = part("announce");
    if (!place || !text || announced.has(text)) return;
    announced.add(text);
    place.textContent = text;
  }
}
