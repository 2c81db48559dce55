"use client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { apiOf } from "@/components/api";
import type { AccountsOfPerson } from "@/lib/team/schema";

const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: ({ signal }) => apiOf(null).get<AccountsOfPerson>("/api/dashboard/v1/accounts", {}, signal),
});

/**
 * Links to the person's other accounts, where there are any. Like a change of the mode, each loads a new document. The
 * accounts are read when the panel is first seen.
 */
export function AccountSwitch() {
  const t = useTranslations("nav");
  const { account, modes } = useSession();
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const panel = place.current;
    if (!panel) return;
    const seen = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true));
    seen.observe(panel);
    return () => seen.disconnect();
  }, []);
  const { data } = useQuery({ ...accountsQuery, enabled: isSeen });
  return (
    <div ref={place} className="min-h-px">
      {data && data.data.length > 1 && (
        <nav aria-label={t("accounts")} className="mb-3 grid gap-1 border-b pb-3">
          <p aria-hidden="true" className="mb-1.5 px-2 text-caption text-muted">
            {t("accounts")}
          </p>
          {data.data.map(({ live_id, sandbox_id, name }) => {
            const isHere = live_id === modes.live;
            return (
              <a
                key={live_id}
                href={isHere ? undefined : `/${account.mode === "live" ? live_id : sandbox_id}/home`}
                aria-current={isHere ? "true" : undefined}
                className="flex items-center gap-2.5 rounded-control px-2 py-1.5 transition-colors hover:bg-line/50"
              >
                <Check aria-hidden="true" className={isHere ? "size-4 shrink-0" : "invisible size-4 shrink-0"} />
                <span className="truncate font-medium">{name}</span>
              </a>
            );
          })}
        </nav>
      )}
    </div>
  );
}
