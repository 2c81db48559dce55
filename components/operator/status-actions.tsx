"use client";
import { useTranslations } from "use-intl";
import { changeSeller, SELLERS, type SellerAccount } from "@/components/operator/queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";

/** Approving is one click. Suspending stops a business, so the dialog asks first. */
export function SellerStatusActions({ seller: { id, name, status, allowed_statuses } }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  const approve = useAction({
    act: () => changeSeller(id, { status: "approved" }),
    done: t("approved"),
    refresh: SELLERS,
  });
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
        <Button look="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
          {t(status === "suspended" ? "approveAgain" : "approve")}
        </Button>
      )}
    </div>
  );
}
