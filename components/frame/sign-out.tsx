"use client";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";

/** Ends the session on the server, then leaves with nothing of it in memory. */
export function SignOut() {
  const t = useTranslations("preferences");
  const [busy, setBusy] = useState(false);
  async function leave() {
    setBusy(true);
    const { signOut } = await import("next-auth/react");
    await signOut({ redirect: false }).catch(() => {});
    window.location.assign("/sign-in");
  }
  return (
    <Button look="quiet" size="small" busy={busy} onClick={leave} className="w-full justify-start px-2 text-base">
      <LogOut aria-hidden="true" />
      {t("signOut")}
    </Button>
  );
}
