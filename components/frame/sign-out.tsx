"use client";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { signInPage, signOut } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Ends the session on the server, then loads a new document, so that nothing of the session stays in memory. */
export function SignOut() {
  const t = useTranslations("preferences");
  const [busy, setBusy] = useState(false);
  async function leave() {
    setBusy(true);
    try {
      await signOut();
      window.location.assign(signInPage());
    } catch {
      setBusy(false);
      toast(t("signOutFailed"), "bad");
    }
  }
  return (
    <Button look="quiet" size="small" busy={busy} onClick={leave} className="w-full justify-start px-2 text-base">
      <LogOut aria-hidden="true" />
      {t("signOut")}
    </Button>
  );
}
