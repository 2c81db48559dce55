"use client";
import { useDates } from "@/components/format";

/** Relative, with the absolute on hover; or absolute when `absolute` is set. */
export function Time({ at, absolute = false }: { at: string; absolute?: boolean }) {
  const { full, relative } = useDates();
  return (
    <time dateTime={at} title={absolute ? undefined : full(at)} className="whitespace-nowrap">
      {absolute ? full(at) : relative(at)}
    </time>
  );
}
