"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { documentNumber } from "@/components/format";
import { useStaffMay } from "@/components/operator/person";
import { approveRequest, rejectRequest } from "@/components/operator/profile-request-queries";
import { SELLERS, type SellerDetail } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Section } from "@/components/ui/page";
import type { ProfileRequest } from "@/lib/profile-requests/schema";

const Refusal = lazyWindow(() => import("@/components/operator/refusal").then((module) => module.Refusal));

type Person = Record<string, unknown> | null;

/** A person by name and document, as far as both are known; null for nobody. */
export const personIn = (person: Person) =>
  person &&
  [person.name, typeof person.document === "string" ? documentNumber(person.document) : null]
    .filter(Boolean)
    .join(" · ");

/** What a seller asks to be changed, each member as it is and as it would be, and the decision about it. */
export function SellerRequest({ seller, request }: { seller: SellerDetail; request: ProfileRequest }) {
  const t = useTranslations("profileRequests");
  const [rejecting, setRejecting] = useState(false);
  const mayDecide = useStaffMay("accounts:write");
  const { id } = seller;
  const asked = [
    [t("name"), seller.name, request.name],
    [t("document"), documentNumber(seller.document), request.document && documentNumber(request.document)],
    [t("representative"), personIn(seller.legal_representative) ?? t("none"), personIn(request.legal_representative)],
  ] as const;
  return (
    <Section title={t("of")}>
      <dl className="grid gap-3">
        {asked.map(
          ([label, now, wanted]) =>
            wanted && (
              <div key={label} className="grid gap-0.5">
                <dt className="font-medium">{label}</dt>
                <dd className="wrap-anywhere">
                  <span className="text-muted">{t("now")}:</span> {now}
                </dd>
                <dd className="wrap-anywhere">
                  <span className="text-muted">{t("wanted")}:</span> {wanted}
                </dd>
              </div>
            ),
        )}
      </dl>
      {mayDecide && (
        <div className="mt-4 flex flex-wrap gap-2">
          <ConfirmButton
            title={t("approveTitle")}
            help={t("approveHelp")}
            action={t("approve")}
            actionLook="primary"
            act={() => approveRequest(id, request.id)}
            done={t("approved")}
            refresh={SELLERS}
          >
            {t("approve")}
          </ConfirmButton>
          <Button look="danger" onClick={() => setRejecting(true)}>
            {t("reject")}
          </Button>
        </div>
      )}
      {rejecting && (
        <Refusal
          title={t("rejectTitle")}
          done={t("rejected")}
          send={(body) => rejectRequest(id, request.id, body)}
          refresh={SELLERS}
          onClose={() => setRejecting(false)}
        />
      )}
    </Section>
  );
}
