"use client";
import type { QueryKey } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { ConfirmButton } from "@/components/ui/confirm-button";
import type { Invite } from "@/lib/subscription-splits/schema";

/** Ends a split that the account has offered, where that can be done; the dialog says what happens then. */
export function CancelSplit({ invite, refresh }: { invite: Invite; refresh: QueryKey }) {
  const t = useTranslations("splits");
  const api = useApi();
  const mayWrite = useMay("splits:write");
  const { id, status, recipient } = invite;
  const name = recipient.name || recipient.email;
  if (!mayWrite || (status !== "pending" && status !== "accepted")) return null;
  return (
    <ConfirmButton
      look="quiet"
      size="small"
      className="justify-self-start max-md:-ml-2.5"
      aria-label={t("cancelNamed", { name })}
      title={t("cancelTitle", { name })}
      help={t(status === "pending" ? "cancelPending" : "cancelAccepted", { name })}
      action={t("cancelNow")}
      act={() => api.delete(`/api/partner/v1/subscription-splits/${id}`)}
      done={t("cancelled")}
      refresh={refresh}
    >
      {t("cancel")}
    </ConfirmButton>
  );
}
