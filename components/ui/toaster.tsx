"use client";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useTranslations } from "use-intl";
import type { ToastsProps } from "@/components/ui/toast";

const LIFE_MS = 4_000;

/** Radix's toasts, which are announced, reached by F8, and closed by Escape or a swipe. */
export function Toaster({ toasts, onClose }: ToastsProps) {
  const t = useTranslations("common");
  return (
    <Radix.Provider label={t("notice")} duration={LIFE_MS}>
      {toasts.map(({ id, text, tone }) => (
        <Radix.Root
          key={id}
          {...(tone === "bad" && { duration: Number.POSITIVE_INFINITY })}
          onOpenChange={(open) => open || onClose(id)}
          className={clsx(
            "enter flex items-start gap-3 rounded-control border-l-2 sm:max-w-[420px] bg-ink px-4 py-2.5 text-ground shadow-float",
            "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:transition-transform",
            tone === "good" ? "border-accent" : "border-bad",
          )}
        >
          <Radix.Title>{text}</Radix.Title>
          {tone === "bad" && (
            <Radix.Close aria-label={t("close")} className="-my-1 -mr-2 grid size-7 shrink-0 place-items-center">
              <X aria-hidden="true" className="size-4" />
            </Radix.Close>
          )}
        </Radix.Root>
      ))}
      <Radix.Viewport
        label={t("notices", { hotkey: "{hotkey}" })}
        className="pointer-events-none fixed inset-x-4 bottom-4 z-50 max-md:bottom-18 m-0 grid list-none justify-items-center gap-2 p-0 *:pointer-events-auto sm:left-auto sm:justify-items-end"
      />
    </Radix.Provider>
  );
}
