"use client";
import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

type Props = {
  /** What the button shows, and what is read aloud of it besides. */
  trigger: ReactNode;
  hint: string;
  look: string;
  /** Where the panel stands in the window. */
  place: string;
  children: ReactNode;
};

/** A button that opens a panel. The platform's popover closes on Escape and outside clicks without a script. */
export function Drop({ trigger, hint, look, place, children }: Props) {
  const id = useId();
  return (
    <>
      <button type="button" popoverTarget={id} className={look}>
        {trigger}
        <span className="sr-only">{hint}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className={clsx(
          "enter fixed inset-auto m-0 max-h-[calc(100dvh-72px)] w-[264px] overflow-y-auto rounded-card border bg-surface p-3 text-ink shadow-float",
          place,
        )}
      >
        {children}
      </div>
    </>
  );
}
