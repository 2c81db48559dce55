"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useStaffMay } from "@/components/operator/person";
import {
  acceptDocument,
  downloadDocument,
  refuseDocument,
  SELLERS,
  type SellerDetail,
} from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Section } from "@/components/ui/page";
import { Status, type Tone } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { AccountDocument } from "@/lib/account-documents/schema";
import { documentTransitions } from "@/lib/account-documents/states";

const Refusal = lazyWindow(() => import("@/components/operator/refusal").then((module) => module.Refusal));

const tones = { sent: "warn", accepted: "good", refused: "bad" } as const satisfies Record<
  AccountDocument["status"],
  Tone
>;

/** A seller's documents beside its account, what is still missing, and the decision about each. */
export function SellerDocuments({ seller }: { seller: SellerDetail }) {
  const t = useTranslations("operator.onboarding");
  const words = useTranslations("ownDocuments");
  const { status, missing, review_asked_at, documents } = seller.onboarding;
  return (
    <Section title={t("title")}>
      {status === "pending" && (
        <p className="mb-3 text-muted">
          {review_asked_at ? (
            <>
              {t("asked")} <Time at={review_asked_at} />.
            </>
          ) : (
            t("notAsked")
          )}{" "}
          {missing.length > 0
            ? `${t("missing")} ${missing.map((item) => words(`needed.${item}`)).join(", ")}.`
            : t("complete")}
        </p>
      )}
      {documents.length === 0 && <p className="text-muted">{t("none")}</p>}
      <ul className="grid">
        {documents.map((document) => (
          <li key={document.id} className="grid gap-2 border-t py-3 first:border-t-0">
            <Document seller={seller.id} document={document} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Document({ seller, document }: { seller: string; document: AccountDocument }) {
  const t = useTranslations("operator.onboarding");
  const words = useTranslations("ownDocuments");
  const [refusing, setRefusing] = useState(false);
  const kind = words(`kinds.${document.kind}`);
  const [mayRead, mayWrite] = [useStaffMay("personal:read"), useStaffMay("accounts:write")];
  const mayDecide = mayWrite && documentTransitions.accept.from.some((from) => from === document.status);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 font-medium">{kind}</span>
        <Status tone={tones[document.status]}>{words(`status.${document.status}`)}</Status>
      </div>
      <p className="text-caption text-muted">
        {words("sentAt")} <Time at={document.created_at} />
        {document.reason && ` · ${t("reason")}: ${document.reason}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {mayRead && (
          <Button
            size="small"
            aria-label={t("downloadNamed", { kind })}
            onClick={() => downloadDocument(seller, document)}
          >
            {t("download")}
          </Button>
        )}
        {mayDecide && (
          <>
            <ConfirmButton
              size="small"
              aria-label={t("acceptNamed", { kind })}
              title={t("acceptTitle")}
              help={t("acceptHelp")}
              action={t("accept")}
              actionLook="primary"
              act={() => acceptDocument(seller, document.id)}
              done={t("accepted")}
              refresh={SELLERS}
            >
              {t("accept")}
            </ConfirmButton>
            <Button
              size="small"
              look="danger"
              aria-label={t("refuseNamed", { kind })}
              onClick={() => setRefusing(true)}
            >
              {t("refuse")}
            </Button>
          </>
        )}
      </div>
      {refusing && (
        <Refusal
          title={t("refuseTitle")}
          done={t("refusedDone")}
          send={(body) => refuseDocument(seller, document.id, body)}
          refresh={SELLERS}
          onClose={() => setRefusing(false)}
        />
      )}
    </>
  );
}
