"use client";
import { useDates } from "@/components/format";

/** A relative time with the absolute one on hover, or the absolute one when `absolute` is set. */
export function Time({ at, absolute = false }: { at: string; absolute?: boolean }) {
  const { full, relative } = useDates();
  return (
    <time dateTime={at} title={absolute ? undefined : full(at)} className="whitespace-nowrap">
      {absolute ? full(at) : relative(at)}
    </time>
  );
}
