"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { useTranslations } from "use-intl";
import type { ApiError } from "@/components/api";
import { Failure } from "@/components/ui/state";

type Props = { error: Error & { digest?: string }; onRetry: () => void };

/** Shown in place of a page that failed. It says what to do, gives the code that the log has, and tries again on a click. */
export function Broken({ error, onRetry }: Props) {
  const t = useTranslations("errors");
  const router = useRouter();
  const isPieceMissing = error.name === "ChunkLoadError";
  const shown: ApiError = isPieceMissing
    ? Object.assign(new Error(), { status: 0, code: "no_answer" })
    : Object.assign(new Error(), { status: 500, requestId: error.digest });
  function again() {
    if (isPieceMissing) return window.location.reload(); // a new version may have taken its place
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
