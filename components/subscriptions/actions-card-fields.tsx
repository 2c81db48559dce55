"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { type CardFields as Fields, openCardFields } from "@/browser/fields/open";
import { Button } from "@/components/ui/button";
import { SkeletonBlock } from "@/components/ui/skeleton";

type Props = {
  publicKey: string;
  /** Is given the fields while they open; undefined comes of those that could not be loaded. */
  opened: RefObject<Promise<Fields | undefined> | undefined>;
};

/** The hosted card fields in a window. What is typed stays in their frame, and this page gets tokens only. */
export function CardFields(props: Props) {
  const [attempt, setAttempt] = useState(1);
  return <Opening key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function Opening({ publicKey, opened, onRetry }: Props & { onRetry: () => void }) {
  const t = useTranslations("subscriptions.detail.card");
  const errors = useTranslations("errors");
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"opening" | "ready" | "failed">("opening");

  useEffect(() => {
    if (!place.current) return undefined;
    const theme = document.documentElement.dataset.theme ?? "auto";
    const opening = openCardFields(place.current, { publicKey, locale, theme }).catch(() => undefined);
    opening.then((fields) => setState(fields ? "ready" : "failed"));
    opened.current = opening;
    return () => {
      opening.then((fields) => fields?.destroy());
    };
  }, [publicKey, locale, opened]);

  return (
    <div>
      {state === "opening" && <FieldsSkeleton text={t("loading")} />}
      {state === "failed" && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-bad">{t("notLoaded")}</p>
          <Button onClick={onRetry}>{errors("retry")}</Button>
        </div>
      )}
      <div ref={place} hidden={state !== "ready"} />
    </div>
  );
}

export const FieldsSkeleton = ({ text }: { text: string }) => (
  <div className="grid h-60 content-start gap-6">
    <p role="status" className="sr-only">
      {text}
    </p>
    <SkeletonBlock className="mt-6 h-11" />
    <SkeletonBlock className="mt-2 h-11" />
    <SkeletonBlock className="mt-2 h-11" />
  </div>
);
