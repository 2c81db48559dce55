import { clsx } from "clsx";
import type { ReactNode } from "react";

/** Preformatted text that scrolls inside its own box. */
export function CodeBlock({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className={clsx(
        "overflow-auto rounded-control border bg-surface p-3 font-mono text-[12px] leading-[18px]",
        className,
      )}
    >
      {children}
    </pre>
  );
}

/** One line of code that scrolls sideways where it is too long. */
export function CodeLine({ children }: { children: string }) {
  return (
    <code
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-w-0 overflow-x-auto whitespace-nowrap font-mono text-caption"
    >
      {children}
    </code>
  );
}
