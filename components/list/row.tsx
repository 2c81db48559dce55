"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { AccountPath } from "@/components/paths";
import { AccountLink } from "@/components/ui/link";

type Props = {
  /** The figure that it is about, before it; on a phone to its right. */
  figure?: string;
  /** Its picture, before its title on every screen. */
  picture?: ReactNode;
  /** What a person calls the record, and what else is said of it. */
  title: ReactNode;
  note?: ReactNode;
  /** Its heading's level: below a section's heading it is the third. */
  heading?: "h2" | "h3";
  /** Its other facts, each as wide in every row; on a phone they are below. */
  cells?: readonly ReactNode[];
  /** Its buttons, or the sign that it is a link. */
  end?: ReactNode;
};

export const Rows = ({ children }: { children: ReactNode }) => <ul className="border-b">{children}</ul>;

/** A record of a list that is no table. */
export function Row({ figure, picture, title, note, heading: Heading = "h2", cells = [], end }: Props) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1.5 border-t py-3 transition-colors has-[h2>a]:hover:bg-line/35 md:flex md:items-center">
      {figure && <p className="font-semibold text-title tabular-nums max-md:order-1 md:w-24 md:shrink-0">{figure}</p>}
      <div className={clsx("flex min-w-0 flex-1 items-center gap-3", !figure && "max-md:col-span-2")}>
        {picture}
        <div className="min-w-0 flex-1">
          <Heading className="min-w-0 wrap-anywhere font-semibold">{title}</Heading>
          {note && <div className="min-w-0 text-caption text-muted">{note}</div>}
        </div>
      </div>
      {cells.length > 0 && (
        <div className="col-span-2 flex flex-wrap items-center gap-x-4 max-md:order-2 md:contents">
          {cells.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fact's place is its identity
            <div key={place} className={clsx("md:shrink-0", place === cells.length - 1 ? "md:w-32" : "md:w-48")}>
              {cell}
            </div>
          ))}
        </div>
      )}
      {end && <div className="col-span-2 max-md:order-3">{end}</div>}
    </li>
  );
}

/** A record of a list that opens its page, wherever the row is clicked. */
export const LinkRow = ({ href, title, note, ...row }: Omit<Props, "end"> & { href: AccountPath }) => (
  <Row
    {...row}
    title={
      <AccountLink href={href} className="block truncate after:absolute after:inset-0">
        {title}
      </AccountLink>
    }
    note={note && <p className="truncate">{note}</p>}
    end={<ChevronRight aria-hidden="true" className="size-4 text-muted max-md:hidden" />}
  />
);
