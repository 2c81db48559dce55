"use client";
import { clsx } from "clsx";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { useErrorText } from "@/components/error-text";
import { Button } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code";
import { Copyable, CopyButton } from "@/components/ui/copy";

/** An empty list: one sentence, one button and one line for integrators, which only a page of theirs shows at once. */
export function Empty({
  children,
  action,
  curl,
  isForDevelopers = false,
}: {
  children: ReactNode;
  action?: ReactNode;
  curl?: string | undefined;
  isForDevelopers?: boolean;
}) {
  const t = useTranslations("common");
  const line = curl && (
    <div className="mt-2 flex max-w-full items-center gap-1 rounded-control border bg-surface py-1 pr-1 pl-3 text-left">
      <CodeLine>{curl}</CodeLine>
      <CopyButton text={curl} iconOnly />
    </div>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-4 border-t py-10 sm:justify-items-center sm:py-14 sm:text-center">
      <p className="max-w-[48ch] text-balance text-prose">{children}</p>
      {action}
      {line && !isForDevelopers ? (
        <details className="grid max-w-full justify-items-start text-caption sm:justify-items-center">
          <summary className="flex h-8 items-center text-muted underline underline-offset-4">{t("byApi")}</summary>
          {line}
        </details>
      ) : (
        line
      )}
    </div>
  );
}

/** A failure: what to do, the request's id, and a button that tries again. */
export function Failure({ error, onRetry, slim = false }: { error: Error; onRetry?: () => void; slim?: boolean }) {
  const t = useTranslations("errors");
  const text = useErrorText()(error);
  const requestId = isApiError(error) ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className={clsx(
        "flex flex-wrap items-center gap-x-6 gap-y-3 border-bad border-l-2 bg-surface px-4",
        slim ? "mb-4 py-2" : "my-2 py-4",
      )}
    >
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="font-medium">{slim ? t("stale") : text}</p>
        {requestId && (
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-caption text-muted">
            {t("requestId")} <Copyable text={requestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} size={slim ? "small" : "normal"}>
          <RotateCw aria-hidden="true" />
          {t("retry")}
        </Button>
      )}
    </div>
  );
}
