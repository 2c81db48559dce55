"use client";
import { clsx } from "clsx";
import { type ReactNode, useEffect, useRef } from "react";

/** Links as tabs over what they lead to; its children are `Tab`s. Where not all have room, the page's own is in sight. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    const here = strip.current?.querySelector("[aria-current=page]");
    const [own, all] = [here?.getBoundingClientRect(), strip.current?.getBoundingClientRect()];
    if (own && all && own.right > all.right) strip.current?.scrollBy({ left: own.right - all.right + 24 });
  }, []);
  return (
    <nav ref={strip} aria-label={label} className="-mx-6 overflow-x-auto px-6 max-sm:-mx-4 max-sm:px-4">
      <ul className="flex w-max min-w-full gap-6 border-b">{children}</ul>
    </nav>
  );
}

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
