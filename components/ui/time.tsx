"use client";
import { useTranslations } from "use-intl";
import { useClockOffset } from "@/components/clock";
import { useDates } from "@/components/format";

/** How far ahead the account's clock is where a real time says that it is one; a device may be some minutes wrong. */
const AHEAD_MS = 3_600_000;

type Props = { at: string; absolute?: boolean; end?: boolean; real?: boolean };

/**
 * A relative time with the absolute one on hover, or the absolute one when `absolute` or, of an end, `end` is set. A `real`
 * one, which is not on the account's clock, says so where that clock is ahead.
 */
export function Time({ at, absolute = false, end = false, real = false }: Props) {
  const { full, until, relative } = useDates();
  const t = useTranslations("time");
  const isApart = useClockOffset() > AHEAD_MS && real;
  if (end) {
    return (
      <time dateTime={at} className="whitespace-nowrap">
        {until(at)}
      </time>
    );
  }
  const time = absolute ? full(at) : relative(at, real);
  return (
    <time dateTime={at} title={absolute ? undefined : full(at)} className="whitespace-nowrap">
      {isApart ? t("real", { time }) : time}
    </time>
  );
}
