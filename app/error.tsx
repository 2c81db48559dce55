"use client";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";

type Props = { error: Error & { digest?: string }; reset: () => void };

/** Outside of the frame; every page downloads it, so it is made of little. */
export default function ErrorPage({ error, reset }: Props) {
  const t = useTranslations("errors");
  return (
    <main className="mx-auto grid max-w-[640px] justify-items-start gap-4 px-6 py-16 max-sm:px-4">
      <h1 className="font-semibold text-title">{t("brokenTitle")}</h1>
      <p role="alert" className="text-prose">
        {t("server")}
      </p>
      {error.digest && (
        <p className="text-caption text-muted">
          {t("requestId")} <code className="font-mono">{error.digest}</code>
        </p>
      )}
      <Button onClick={reset}>{t("retry")}</Button>
    </main>
  );
}
