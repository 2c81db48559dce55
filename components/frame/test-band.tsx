"use client";
import { FlaskConical } from "lucide-react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/account";
import { useNow } from "@/components/clock";
import { useDates } from "@/components/format";
import { AccountLink } from "@/components/ui/link";

/**
 * The band of the test mode on every page, with the account's time where its clock is ahead. The document's title has a
 * prefix as well.
 */
export function TestBand({ isAhead }: { isAhead: boolean }) {
  const t = useTranslations("mode");
  const maySeeClock = useMay("transactions:read");
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-warn/40 border-b bg-warn/12 px-6 py-2 font-medium text-caption text-warn max-sm:px-4">
      <p className="flex items-center gap-2">
        <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
        {t("band")}
      </p>
      {maySeeClock && (
        <AccountLink href="/clock" className="underline underline-offset-4">
          {isAhead ? <Present /> : t("clock")}
        </AccountLink>
      )}
    </div>
  );
}

function Present() {
  const t = useTranslations("mode");
  const { full } = useDates();
  return t("clockAt", { time: full(new Date(useNow()).toISOString()) });
}
