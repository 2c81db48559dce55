"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

/** A page that is loading. The heading says so to those who cannot see its skeleton. */
export function Loading({ children }: { children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div aria-busy="true">
      <h1 className="sr-only">{t("loading")}</h1>
      {children}
    </div>
  );
}
