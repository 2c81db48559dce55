"use client";
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { AccountSwitch } from "@/components/frame/account-switch";
import { ModeSwitch } from "@/components/frame/mode-switch";
import { Nav } from "@/components/frame/nav";
import { Preferences } from "@/components/frame/preferences";
import { SignOut } from "@/components/frame/sign-out";
import { Button } from "@/components/ui/button";
import { returnFocus } from "@/components/ui/focus";

/** The sidebar where there is no room for it beside the page: the same parts over it. */
export function Sheet({ onClose }: { onClose: () => void }) {
  const t = useTranslations("nav");
  const { account, user } = useSession();
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="enter fixed outline-none inset-y-0 left-0 z-40 flex w-[min(320px,88vw)] flex-col gap-5 overflow-y-auto bg-ground px-4 py-4 shadow-float"
        >
          <div className="flex items-center justify-between gap-2 pl-3">
            <Dialog.Title className="truncate font-semibold">{account.name}</Dialog.Title>
            <Dialog.Close asChild>
              <Button look="quiet" size="icon" className="size-11" aria-label={t("close")}>
                <X aria-hidden="true" />
              </Button>
            </Dialog.Close>
          </div>
          <Nav onNavigate={onClose} />
          <div className="border-t pt-4">
            <AccountSwitch />
            <ModeSwitch />
          </div>
          <div className="mt-auto grid gap-3 border-t pt-4">
            <Preferences />
            <p className="truncate px-2 text-caption text-muted">{user.email}</p>
            <SignOut />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
