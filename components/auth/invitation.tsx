"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { cents, useNumbers } from "@/components/format";
import { sharesOf } from "@/lib/money";
import type { Invite } from "@/lib/subscription-splits/schema";

/**
 * The invitation by whose link a visitor came; undefined until it is read, and where it opens no more: the page that
 * follows says so. The secret is sent in a body, because logs have addresses.
 */
export function useInvitation(secret: string | null): Invite | undefined {
  const [invite, setInvite] = useState<Invite>();
  useEffect(() => {
    if (secret === null) return;
    let isHere = true;
    apiOf(null)
      .post<{ data: Invite }>("/api/dashboard/v1/invitations/offer", { secret })
      .then(({ data }) => isHere && setInvite(data))
      .catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [secret]);
  return invite;
}

/** Who invites, to what and for how much, above the form that the visitor must fill in first. */
export function InvitationCard({ invite, next }: { invite: Invite; next: string }) {
  const t = useTranslations("invitation");
  const { money, percent } = useNumbers();
  const { plan, percentage } = invite;
  const share = sharesOf(cents(plan.amount), [cents(percentage)])[0] ?? 0;
  const values = { plan: plan.name, percentage: percent(percentage), share: money(share) };
  return (
    <section
      aria-label={t("label")}
      className="mb-6 grid gap-1.5 wrap-anywhere rounded-card border bg-surface px-4 py-3.5"
    >
      <p className="font-semibold">{t("offer", { seller: plan.seller.name })}</p>
      <p>{t("share", { ...values, amount: money(cents(plan.amount)) })}</p>
      <p className="text-caption text-muted">
        {t("from", { email: plan.seller.email })} {next}
      </p>
    </section>
  );
}
