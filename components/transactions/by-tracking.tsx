"use client";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { FilterControl } from "@/components/list/use-list";
import type { Tracked } from "@/components/transactions/tracked-form";
import { Button } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/button-look";
import { lazyWindow } from "@/components/ui/lazy-window";

const TrackedForm = lazyWindow(() =>
  import("@/components/transactions/tracked-form").then((module) => module.TrackedForm),
);

/** The filters by where sales came from: a button to set them, and a link that removes each that is set. */
export function ByTracking({ list }: { list: FilterControl<Tracked> }) {
  const t = useTranslations("sales.tracked");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t("open")}
      </Button>
      {(["utm_source", "utm_campaign"] as const).map((name) => {
        const value = list.filters[name];
        return (
          value && (
            <a key={name} {...list.follow({ [name]: "" })} className={buttonLook({ className: "max-w-full" })}>
              <span className="truncate">
                {t(`chosen.${name}`)}: {value}
              </span>
              <span className="sr-only">{t("remove")}</span>
              <X aria-hidden="true" />
            </a>
          )
        );
      })}
      {isOpen && <TrackedForm list={list} onClose={() => setOpen(false)} />}
    </>
  );
}
