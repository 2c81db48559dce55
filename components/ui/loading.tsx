"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

/** A page that is loading. Its heading is for those who cannot see the skeleton. */
export function Loading({ children }: { children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div aria-busy="true">
      <h1 className="sr-only">{t("loading")}</h1>
      {children}
    </div>
  );
}
