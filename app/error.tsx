"use client";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";

type Props = { error: Error & { digest?: string }; reset: () => void };

/** A failure outside of the frame. Every page downloads this one, so it is small. */
export default function ErrorPage({ error, reset }: Props) {
  const t = useTranslations("errors");
  const isPieceMissing = error.name === "ChunkLoadError"; // a new version may have replaced it
  return (
    <main className="mx-auto grid max-w-[640px] justify-items-start gap-4 px-6 py-16 max-sm:px-4">
      <h1 className="font-semibold text-title">{t("brokenTitle")}</h1>
      <p role="alert" className="text-prose">
        {t(isPieceMissing ? "unanswered.no_answer" : "server")}
      </p>
      {error.digest && (
        <p className="text-caption text-muted">
          {t("requestId")} <code className="font-mono">{error.digest}</code>
        </p>
      )}
      <Button onClick={isPieceMissing ? () => window.location.reload() : reset}>{t("retry")}</Button>
    </main>
  );
}
