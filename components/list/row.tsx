"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { AccountPath } from "@/components/paths";
import { RowLink } from "@/components/ui/row-link";

type Props = {
  /** What a person calls the record, and a line about it. */
  title: ReactNode;
  note?: ReactNode;
  /** Its other facts, each as wide in every row; on a phone they are below. */
  cells?: readonly ReactNode[];
  /** Its buttons, or the sign that it is a link. */
  end?: ReactNode;
};

export const Rows = ({ children }: { children: ReactNode }) => <ul className="border-b">{children}</ul>;

/** A record of a list that is no table. */
export function Row({ title, note, cells = [], end }: Props) {
  return (
    <li className="relative grid gap-x-6 gap-y-1.5 border-t py-3 transition-colors has-[h2>a]:hover:bg-line/35 md:flex md:items-center">
      <div className="min-w-0 flex-1">
        <h2 className="min-w-0 break-words font-semibold">{title}</h2>
        {note && <div className="min-w-0 truncate text-caption text-muted">{note}</div>}
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
export const LinkRow = ({ href, title, ...row }: Omit<Props, "end"> & { href: AccountPath }) => (
  <Row
    {...row}
    title={
      <RowLink href={href} className="block truncate after:absolute after:inset-0">
        {title}
      </RowLink>
    }
    end={<ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted max-md:hidden" />}
  />
);
