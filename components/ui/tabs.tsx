import { clsx } from "clsx";
import type { ReactNode } from "react";

/** Links as tabs over what they lead to; its children are `Tab`s. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="-mx-6 overflow-x-auto px-6 max-sm:-mx-4 max-sm:px-4">
    <ul className="flex w-max min-w-full gap-6 border-b">{children}</ul>
  </nav>
);

type Look = { className: string; "aria-current": "page" | undefined };

/** A tab; its child makes the link with the properties of the tab's look. */
export const Tab = ({ here, children }: { here: boolean; children: (look: Look) => ReactNode }) => (
  <li>
    {children({
      "aria-current": here ? "page" : undefined,
      className: clsx(
        "-mb-px flex h-11 items-center gap-2 whitespace-nowrap border-b-2 transition-colors",
        here ? "border-[var(--here,var(--accent))] font-semibold" : "border-transparent text-muted hover:text-ink",
      ),
    })}
  </li>
);
