"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { useTranslations } from "use-intl";
import type { ApiError } from "@/components/api";
import { Failure } from "@/components/ui/state";

/** A page that could not be made: what to do, the code that finds it in the log, and another try. */
export function Broken({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  const t = useTranslations("errors");
  const router = useRouter();
  const error: ApiError = Object.assign(new Error(), { status: 500, requestId: digest });
  function again() {
    startTransition(() => {
      router.refresh();
      onRetry();
    });
  }
  return (
    <>
      <h1 className="mb-4 font-semibold text-title">{t("brokenTitle")}</h1>
      <Failure error={error} onRetry={again} />
    </>
  );
}
