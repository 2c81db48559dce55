"use client";
import { clsx } from "clsx";
import { type ComponentProps, type ReactNode, useId } from "react";

export const control =
  "w-full rounded-control border border-muted bg-surface px-3 text-ink text-prose transition-colors duration-150 sm:text-base " +
  "hover:border-ink aria-invalid:border-bad focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent";

type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };
type Props = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  optional?: string;
  children: (wiring: Wiring) => ReactNode;
};

/** A field with its label above and its help below; a fault is shown instead of the help. */
export function Field({ label, help, error, optional, children }: Props) {
  const id = useId();
  const note = error ?? help;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between gap-3 font-medium">
        {label}
        {optional && <span className="font-normal text-caption text-muted">{optional}</span>}
      </label>
      {children({ id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": error ? true : undefined })}
      {note && (
        <p id={`${id}-note`} className={clsx("text-caption", error ? "text-bad" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={clsx(control, "h-9 max-sm:h-11", className)} />;
}

/** Text of several lines, which grows with what is typed where the browser can. */
export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea rows={3} {...props} className={clsx(control, "field-sizing-content max-h-60 min-h-20 py-2", className)} />
  );
}

export function Select({ className, ...props }: ComponentProps<"select">) {
  return (
    <select
      {...props}
      className={clsx(
        control,
        "h-9 appearance-none bg-[position:right_10px_center] bg-[size:10px] bg-no-repeat pr-8 max-sm:h-11",
        "bg-[image:var(--chevron)]",
        className,
      )}
    />
  );
}
