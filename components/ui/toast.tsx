"use client";
import { clsx } from "clsx";
import { useSyncExternalStore } from "react";

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

/** Says in passing that something was done. What must not be missed belongs in the page instead. */
export function toast(text: string, tone: Toast["tone"] = "good") {
  const id = nextId++;
  set([...toasts.slice(-2), { id, text, tone }]);
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), LIFE_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where toasts appear; also the live region that speaks them. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 sm:left-auto sm:justify-items-end"
    >
      {shown.map(({ id, text, tone }) => (
        <p
          key={id}
          className={clsx(
            "enter rounded-control border-l-2 bg-ink px-4 py-2.5 text-ground shadow-float",
            tone === "good" ? "border-accent" : "border-bad",
          )}
        >
          {text}
        </p>
      ))}
    </div>
  );
}
