"use client";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";

type Toast = { id: number; text: string; tone: "good" | "bad" };

const LIFE_MS = 4_000;
const none: Toast[] = [];
let toasts = none;
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows in passing that something was done. What went wrong stays until it is closed. */
export function toast(text: string, tone: Toast["tone"] = "good") {
  set([...toasts.slice(-2), { id: nextId++, text, tone }]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where toasts appear. Radix announces them, lets F8 reach them, and a swipe or Escape close them. */
export function Toaster() {
  const t = useTranslations("common");
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <Radix.Provider label={t("notice")} duration={LIFE_MS}>
      {shown.map(({ id, text, tone }) => (
        <Radix.Root
          key={id}
          {...(tone === "bad" && { duration: Number.POSITIVE_INFINITY })}
          onOpenChange={(open) => open || set(toasts.filter((one) => one.id !== id))}
          className={clsx(
            "enter flex items-start gap-3 rounded-control border-l-2 bg-ink px-4 py-2.5 text-ground shadow-float",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:transition-transform",
            tone === "good" ? "border-accent" : "border-bad",
          )}
        >
          <Radix.Title>{text}</Radix.Title>
          {tone === "bad" && (
            <Radix.Close aria-label={t("close")} className="-my-1 -mr-2 grid size-7 shrink-0 place-items-center">
              <X aria-hidden="true" className="size-4" />
            </Radix.Close>
          )}
        </Radix.Root>
      ))}
      <Radix.Viewport
        label={t("notices", { hotkey: "{hotkey}" })}
        className="pointer-events-none fixed inset-x-4 bottom-4 z-50 m-0 grid list-none justify-items-center gap-2 p-0 *:pointer-events-auto sm:left-auto sm:justify-items-end"
      />
    </Radix.Provider>
  );
}
