"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { changeSeller, SELLERS, type SellerAccount } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";

const Approval = lazyWindow(() => import("@/components/operator/approval").then((module) => module.Approval));

/** Approving opens the one step that says all of it. Suspending stops a business, so the dialog asks first. */
export function SellerStatusActions({ seller }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  const { id, name, status, allowed_statuses } = seller;
  const [approving, setApproving] = useState(false);
  return (
    <div className="flex gap-2">
      {allowed_statuses.includes("suspended") && (
        <ConfirmButton
          look="danger"
          title={t("suspendNamed", { name })}
          help={t("suspendHelp")}
          action={t("suspend")}
          act={() => changeSeller(id, { status: "suspended" })}
          done={t("suspended")}
          refresh={SELLERS}
        >
          {t("suspend")}
        </ConfirmButton>
      )}
      {allowed_statuses.includes("approved") && (
        <Button look="primary" onClick={() => setApproving(true)}>
          {t(status === "suspended" ? "approveAgain" : "approve")}
        </Button>
      )}
      {approving && <Approval seller={seller} onClose={() => setApproving(false)} />}
    </div>
  );
}
