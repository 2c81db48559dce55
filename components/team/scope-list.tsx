"use client";
import { Check } from "lucide-react";
import { useTranslations } from "use-intl";
import { allScopes } from "@/lib/auth/scopes";

/** Permissions in words, in the order of their table. */
export function ScopeList({ of }: { of: readonly string[] }) {
  const t = useTranslations("scopes");
  return (
    <ul className="grid gap-x-6 gap-y-0.5 text-caption sm:grid-cols-2">
      {allScopes
        .filter((scope) => of.includes(scope))
        .map((scope) => (
          <li key={scope} className="flex gap-2">
            <Check aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-accent" />
            {t(scope)}
          </li>
        ))}
    </ul>
  );
}
