"use client";
import { RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { TIME_LIMIT_MS } from "@/components/api";
import { Button } from "@/components/ui/button";
import { focusBelow } from "@/components/ui/focus";

type Piece<P> = (props: P) => ReactNode;
type Closable = { onClose: () => void };
type Retriable = { onRetry: () => void };

/**
 * A window that is downloaded when it is first opened. If that fails, a small one reports it and offers to try again,
 * and the page below keeps what was typed.
 */
export function lazyWindow<P extends Closable>(load: () => Promise<Piece<P>>): Piece<P> {
  let latest = attempt();

  function attempt() {
    const loaded = () =>
      withinLimit(load()).catch(() => {
        latest = attempt(); // a component that failed to load fails for ever
        return NotLoaded;
      });
    return dynamic<P & Retriable>(loaded, { ssr: false, loading: Opening });
  }

  return function LazyWindow(props: P) {
    const [Shown, setShown] = useState(() => latest);
    return <Shown {...props} onRetry={() => setShown(() => latest)} />;
  };
}

const withinLimit = <T,>(work: Promise<T>): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, TIME_LIMIT_MS))]);

/** Shown once the wait is long enough to be noticed. */
function Opening() {
  const t = useTranslations("common");
  return (
    <p
      role="status"
      className="fixed right-4 bottom-4 z-50 rounded-control bg-ink px-4 py-2.5 text-ground opacity-0 shadow-float [animation:appear_160ms_ease-out_150ms_forwards]"
    >
      {t("loading")}
    </p>
  );
}

/** This is the platform's own dialog, because it needs no download. */
function NotLoaded({ onClose, onRetry }: Closable & Retriable) {
  const t = useTranslations("errors");
  const common = useTranslations("common");
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => {
      current?.close();
      focusBelow(current);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="not-loaded"
      onCancel={onClose}
      className="enter m-auto w-[440px] max-w-[calc(100vw-2rem)] rounded-card border bg-surface p-6 text-ink shadow-float backdrop:bg-black/45"
    >
      <h2 id="not-loaded" className="font-semibold text-title">
        {t("notLoaded.title")}
      </h2>
      <p className="mt-2 text-muted">{t("notLoaded.text")}</p>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common("close")}</Button>
        <Button onClick={() => window.location.reload()}>{t("notLoaded.reload")}</Button>
        <Button look="primary" onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          {t("retry")}
        </Button>
      </div>
    </dialog>
  );
}
