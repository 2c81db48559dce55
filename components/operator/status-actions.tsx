"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useStaffMay } from "@/components/operator/person";
import { changeSeller, SELLERS, type SellerDetail, type SellerMeta } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";

const SellerForm = lazyWindow(() => import("@/components/operator/form").then((module) => module.SellerForm));

/** Approving opens the one step that says all of it. Suspending stops a business, so the dialog asks first. */
export function SellerStatusActions({ seller, meta }: { seller: SellerDetail; meta: SellerMeta }) {
  const t = useTranslations("operator");
  const { id, name, email, status, allowed_statuses } = seller;
  const [approving, setApproving] = useState(false);
  if (!useStaffMay("accounts:write")) return null;
  return (
    <div className="flex gap-2">
      {allowed_statuses.includes("suspended") && (
        <ConfirmButton
          look="danger"
          title={t("suspendNamed", { name })}
          help={t("suspendHelp", { email })}
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
      {approving && <SellerForm seller={seller} meta={meta} approves onClose={() => setApproving(false)} />}
    </div>
  );
}
