"use client";
import { useDates } from "@/components/format";

type Props = { at: string; absolute?: boolean; end?: boolean };

/** A relative time with the absolute one on hover, or the absolute one when `absolute` or, of an end, `end` is set. */
export function Time({ at, absolute = false, end = false }: Props) {
  const { full, until, relative } = useDates();
  if (end) {
    return (
      <time dateTime={at} className="whitespace-nowrap">
        {until(at)}
      </time>
    );
  }
  return (
    <time dateTime={at} title={absolute ? undefined : full(at)} className="whitespace-nowrap">
      {absolute ? full(at) : relative(at)}
    </time>
  );
}
