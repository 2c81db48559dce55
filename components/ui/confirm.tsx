"use client";
import { AlertDialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { Look } from "@/components/ui/button-look";
import { returnFocus } from "@/components/ui/focus";

type Props = {
  title: string;
  children: ReactNode;
  action: string;
  /** The text of the button that cancels, "Cancel" by default. */
  cancel?: string;
  look?: Look["look"];
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** A dialog that asks before an action that cannot be undone; its button names the action. */
export function Confirm({ title, children, action, cancel, look = "danger", busy, onConfirm, onClose }: Props) {
  const t = useTranslations("common");
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 motion-safe:animate-[appear_140ms_ease-out_both]" />
        <Radix.Content
          onCloseAutoFocus={returnFocus}
          className="enter fixed outline-none inset-x-4 top-1/2 z-40 mx-auto max-w-[440px] -translate-y-1/2 rounded-card border bg-surface p-6 shadow-float"
        >
          <Radix.Title className="font-semibold text-title">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="mt-2 text-muted">{children}</div>
          </Radix.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>{cancel ?? t("cancel")}</Button>
            </Radix.Cancel>
            <Button look={look} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
