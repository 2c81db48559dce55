"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { documentNumber, phoneNumber } from "@/components/format";
import { Back } from "@/components/operator/back";
import { SellerBalance } from "@/components/operator/balance";
import { SellerConditions } from "@/components/operator/conditions";
import { NoProvider } from "@/components/operator/no-provider";
import { SellerNotes } from "@/components/operator/notes";
import { SellerPeople } from "@/components/operator/people";
import { type SellerDetail, type SellerMeta, sellerQuery } from "@/components/operator/queries";
import { SameDocument } from "@/components/operator/same-document";
import { SellerDocuments } from "@/components/operator/seller-documents";
import { SellerPayouts } from "@/components/operator/seller-payouts";
import { SellerRail } from "@/components/operator/seller-rail";
import { personIn, SellerRequest } from "@/components/operator/seller-request";
import { SellerStatusWord } from "@/components/operator/status";
import { SellerStatusActions } from "@/components/operator/status-actions";
import { ReadRecord, Record } from "@/components/record/record";
import { StaffTimeline } from "@/components/timeline/timeline";
import { Copyable } from "@/components/ui/copy";
import { Facts, Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";

/** One seller: its data, its status and its conditions. */
export function Seller({ id }: { id: string }) {
  const t = useTranslations("operator");
  const result = useQuery(sellerQuery(id));
  return (
    <>
      <Back href="/operator/accounts">{t("accounts")}</Back>
      <ReadRecord result={result} title={t("account")}>
        {({ data, meta }) => <Known seller={data} meta={meta} />}
      </ReadRecord>
    </>
  );
}

function Known({ seller, meta }: { seller: SellerDetail; meta: SellerMeta }) {
  const t = useTranslations("operator");
  return (
    <Record
      title={seller.name}
      status={<SellerStatusWord status={seller.status} isAsked={seller.review_asked_at !== null} />}
      actions={<SellerStatusActions seller={seller} meta={meta} />}
      timeline={<StaffTimeline subject="account" id={seller.id} record={seller} />}
      aside={
        <Section title={t("facts")}>
          <Facts
            rows={[
              [t("columns.document"), documentNumber(seller.document)],
              [t("email"), seller.email],
              seller.phone !== null && [t("phone"), phoneNumber(seller.phone)],
              seller.address && [t("address"), addressIn(seller.address)],
              seller.legal_representative && [t("representative"), personIn(seller.legal_representative)],
              [t("columns.since"), <Time key="since" at={seller.created_at} absolute />],
              [t("id"), <Copyable key="id" text={seller.id} />],
            ]}
          />
          <PageLink
            href={`/operator/accounts/${seller.id}/audit`}
            className="mt-4 inline-block underline underline-offset-4"
          >
            {t("auditOf")}
          </PageLink>
        </Section>
      }
    >
      {seller.status === "approved" && <NoProvider rails={meta.rails} isByCard={seller.features.includes("cards")} />}
      <SameDocument seller={seller} />
      {seller.request?.status === "pending" && <SellerRequest seller={seller} request={seller.request} />}
      {(seller.status === "pending" || seller.onboarding.documents.length > 0) && <SellerDocuments seller={seller} />}
      <SellerBalance seller={seller} />
      {seller.features.includes("cash_out") && <SellerPayouts seller={seller} />}
      <SellerRail seller={seller} meta={meta} />
      <SellerConditions seller={seller} meta={meta} />
      <SellerPeople id={seller.id} />
      <SellerNotes id={seller.id} />
    </Record>
  );
}

/** An address on one line, as far as it is known. */
const addressIn = ({ street, streetNumber, complement, district, city, state, zipCode }: Record<string, unknown>) =>
  [street, streetNumber, complement, district, city, state, zipCode].filter(Boolean).join(", ");
