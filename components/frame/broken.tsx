"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { useTranslations } from "use-intl";
import type { ApiError } from "@/components/api";
import { Failure } from "@/components/ui/state";

type Props = { error: Error & { digest?: string }; onRetry: () => void };

/** Shown in place of a page that failed: what to do, the error's code in the log, and a button that tries again. */
export function Broken({ error, onRetry }: Props) {
  const t = useTranslations("errors");
  const router = useRouter();
  const isPieceMissing = error.name === "ChunkLoadError";
  const shown: ApiError = isPieceMissing
    ? Object.assign(new Error(), { status: 0, code: "no_answer" })
    : Object.assign(new Error(), { status: 500, requestId: error.digest });
  function again() {
    if (isPieceMissing) return window.location.reload(); // a new version may have replaced it
    startTransition(() => {
      router.refresh();
      onRetry();
    });
  }
  return (
    <>
      <h1 className="mb-4 font-semibold text-title">{t("brokenTitle")}</h1>
      <Failure error={shown} onRetry={again} />
    </>
  );
}
