"use client";
import { X } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import type { FilterControl } from "@/components/list/use-list";
import { Button } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/button-look";
import { lazyWindow } from "@/components/ui/lazy-window";
import type { TrackedName } from "@/lib/transactions/schema";

/** Every value by which sales can be listed, in the order of the form; the type demands all. */
const names = Object.keys({
  ...{ utm_source: 1, utm_medium: 1, utm_campaign: 1, utm_term: 1, utm_content: 1 },
  ...{ src: 1, sck: 1 },
} satisfies Record<TrackedName, 1>) as TrackedName[];

const TrackedForm = lazyWindow(() =>
  import("@/components/transactions/tracked-form").then((module) => module.TrackedForm),
);

/** The filters by where sales came from: a button to set them, and a link that removes each that is set. */
export function ByTracking({ list }: { list: FilterControl<TrackedName> }) {
  const t = useTranslations("sales.tracked");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t("open")}
      </Button>
      {names.map((name) => {
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
      {isOpen && <TrackedForm list={list} names={names} onClose={() => setOpen(false)} />}
    </>
  );
}
