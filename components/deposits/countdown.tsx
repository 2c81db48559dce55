"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useClockOffset, useNow } from "@/components/clock";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The time left until the server's `expiresAt`. Screen readers announce it only at five minutes, at one, and at the
 * end.
 */
export function Countdown({ expiresAt, onEnd }: { expiresAt: string; onEnd: () => void }) {
  const t = useTranslations("countdown");
  const left = useTimeLeft(expiresAt);
  const over = left <= 0;
  useEffect(() => {
    if (over) onEnd();
  }, [over, onEnd]);
  const spoken = over ? t("over") : left <= MINUTE ? t("oneMinute") : left <= 5 * MINUTE ? t("fiveMinutes") : "";
  const [days, hours, minutes, seconds] = [
    left / DAY,
    (left % DAY) / HOUR,
    (left % HOUR) / MINUTE,
    (left % MINUTE) / SECOND,
  ].map((value) => Math.max(0, Math.floor(value))) as [number, number, number, number];
  const clock = [...(hours > 0 || days > 0 ? [hours] : []), minutes, seconds].map((part) =>
    String(part).padStart(2, "0"),
  );
  return (
    <>
      <span role="timer" aria-live="off">
        {days > 0 ? t("days", { days, clock: clock.join(":") }) : t("left", { clock: clock.join(":") })}
      </span>
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </>
  );
}

function useTimeLeft(expiresAt: string): number {
  const offset = useClockOffset();
  const firstNow = useNow();
  const [now, setNow] = useState(firstNow);
  useEffect(() => {
    const tick = () => setNow(Date.now() + offset);
    tick();
    const timer = setInterval(tick, SECOND);
    return () => clearInterval(timer);
  }, [offset]);
  return Date.parse(expiresAt) - now;
}
