import { clsx } from "clsx";
import type { ReactNode } from "react";

type Head = { title: ReactNode; purpose?: ReactNode; action?: ReactNode };

/** A page's title, its purpose where that is not plain, and at most one primary action. */
export function PageHead({ title, purpose, action }: Head) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 gap-1">
        <h1 className="font-semibold text-title tracking-[-0.01em]">{title}</h1>
        {purpose && <p className="max-w-[64ch] text-muted">{purpose}</p>}
      </div>
      {action}
    </header>
  );
}

type DetailHeadProps = { title: ReactNode; status: ReactNode; actions?: ReactNode };

/** A detail's title, status and actions. */
export function DetailHead({ title, status, actions }: DetailHeadProps) {
  return (
    <header className="mb-8 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 gap-1">
        <h1 className="wrap-anywhere font-semibold text-title tracking-[-0.01em]">{title}</h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">{status}</div>
      </div>
      {actions}
    </header>
  );
}

/** A detail's left two thirds and right third. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">{children}</div>
);

/** A part of a page with a heading under a hairline. */
export function Section({
  title,
  aside,
  className,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={clsx("border-t pt-4", className)}>
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A large figure with a small label above it. */
export function Figure({ label, children, note }: { label: ReactNode; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <p className="text-muted">{label}</p>
      <p className="font-semibold text-figure tabular-nums tracking-[-0.02em]">{children}</p>
      {note && <p className="text-caption text-muted">{note}</p>}
    </div>
  );
}

/** The facts column of a detail: each label above its value. */
export function Facts({ rows }: { rows: (readonly [label: string, value: ReactNode] | null | false)[] }) {
  return (
    <dl className="grid gap-3">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]} className="grid min-w-0">
              <dt className="text-caption text-muted">{row[0]}</dt>
              <dd className="min-w-0 wrap-anywhere">{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
