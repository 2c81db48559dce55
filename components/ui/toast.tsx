"use client";
import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";

export type Toast = { id: number; text: string; tone: "good" | "bad" };

const none: Toast[] = [];
let toasts = none;
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast. A success disappears by itself; a failure stays until it is closed. */
export function toast(text: string, tone: Toast["tone"] = "good") {
  set([...toasts.slice(-2), { id: nextId++, text, tone }]);
}

const close = (id: number) => set(toasts.filter((one) => one.id !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export type ToastsProps = { toasts: Toast[]; onClose: (id: number) => void };

const Toaster = dynamic<ToastsProps>(
  () => import("@/components/ui/toaster").then((module) => module.Toaster).catch(() => Plain),
  { ssr: false, loading: () => <Plain toasts={toasts} /> },
);

/** The place of toasts. The component that shows them is downloaded with the first one. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return nextId > 1 && <Toaster toasts={shown} onClose={close} />;
}

/** Shows only the texts until the toaster is downloaded, or if that fails. */
function Plain({ toasts }: Pick<ToastsProps, "toasts">) {
  return (
    <div role="status" className="fixed right-4 bottom-4 left-4 z-50 grid justify-items-end gap-2">
      {toasts.map(({ id, text }) => (
        <p key={id} className="rounded-control bg-ink px-4 py-2.5 text-ground">
          {text}
        </p>
      ))}
    </div>
  );
}
