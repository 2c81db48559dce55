"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { AccountPath } from "@/components/paths";
import { RowLink } from "@/components/ui/row-link";

type Props = {
  /** What stands before it, as a figure or a picture. */
  lead?: ReactNode;
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
export function Row({ lead, title, note, heading: Heading = "h2", cells = [], end }: Props) {
  return (
    <li className="relative grid gap-x-6 gap-y-1.5 border-t py-3 transition-colors has-[h2>a]:hover:bg-line/35 md:flex md:items-center">
      <div className="flex min-w-0 flex-1 items-center gap-3">
        {lead}
        <div className="min-w-0 flex-1">
          <Heading className="min-w-0 break-words font-semibold">{title}</Heading>
          {note && <div className="min-w-0 text-caption text-muted">{note}</div>}
        </div>
      </div>
      {cells.map((cell, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fact's place is its identity
        <div key={place} className={clsx("md:w-44 md:shrink-0", place > 0 && "md:w-32")}>
          {cell}
        </div>
      ))}
      {end}
    </li>
  );
}

/** A record of a list that opens its page, wherever the row is clicked. */
export const LinkRow = ({ href, title, note, ...row }: Omit<Props, "end"> & { href: AccountPath }) => (
  <Row
    {...row}
    title={
      <RowLink href={href} className="block truncate after:absolute after:inset-0">
        {title}
      </RowLink>
    }
    note={note && <p className="truncate">{note}</p>}
    end={<ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted max-md:hidden" />}
  />
);
