"use client";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { focusFirstField, returnFocus } from "@/components/ui/focus";

type Props = {
  title: ReactNode;
  description?: ReactNode;
  onClose: () => void;
  /** Whether only its own button closes the dialog, as where a secret is shown once. */
  sticky?: boolean;
  /** Whether the dialog hides the page below. */
  opaque?: boolean;
  children: ReactNode;
};

/** A window over the page; on a phone it is at the bottom edge. */
export function Dialog({ title, description, onClose, sticky = false, opaque = false, children }: Props) {
  const t = useTranslations("common");
  const keep = (event: Event) => sticky && event.preventDefault();
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay
          className={clsx(
            "fixed inset-0 z-40 motion-safe:animate-[appear_140ms_ease-out_both]",
            opaque ? "bg-ground" : "bg-black/45",
          )}
        />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={returnFocus}
          onInteractOutside={keep}
          onEscapeKeyDown={keep}
          className={
            "enter fixed z-40 outline-none max-h-[92dvh] overflow-y-auto border bg-surface p-6 shadow-float max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-card max-sm:p-4 " +
            "sm:top-1/2 sm:left-1/2 sm:w-[560px] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card"
          }
        >
          <div className="mb-5 flex items-start justify-between gap-4">
            <div className="grid min-w-0 gap-1 wrap-anywhere">
              <Radix.Title className="font-semibold text-title">{title}</Radix.Title>
              {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            </div>
            {!sticky && (
              <Radix.Close asChild>
                <Button look="quiet" size="icon" aria-label={t("close")} className="-mt-1 -mr-2">
                  <X aria-hidden="true" />
                </Button>
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
