"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { ListBody } from "@/components/list/body";
import { Table } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { paymentLinkQuery, paymentsOf } from "@/components/payment-links/queries";
import { LinkStatus } from "@/components/payment-links/status";
import { ReadRecord, Record } from "@/components/record/record";
import { RecordTimeline } from "@/components/timeline/timeline";
import { useSaleColumns } from "@/components/transactions/columns";
import { Address } from "@/components/ui/address";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { PaymentLink } from "@/lib/payment-links/schema";

const Editor = lazyWindow(() => import("@/components/payment-links/editor").then((module) => module.LinkEditor));

/** One payment link with its payments. */
export function PaymentLinkDetail({ id }: { id: string }) {
  const t = useTranslations("paymentLinks");
  const result = useQuery(paymentLinkQuery(useApi().account, id));
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known link={data} />}
    </ReadRecord>
  );
}

function Known({ link }: { link: PaymentLink }) {
  const { money } = useNumbers();
  const t = useTranslations("paymentLinks");
  const wayBack = useTranslations("wayBack");
  const mayWrite = useMay("transactions:write");
  const { description, url, amount, product, payments_count: count, max_payments: most, expires_at, token } = link;
  return (
    <Record
      trail={<Breadcrumb href="/payment-links" list={t("title")} here={description} />}
      title={money(cents(amount))}
      status={
        <>
          <LinkStatus link={link} />
          <span className="min-w-0 wrap-anywhere text-muted">{description}</span>
        </>
      }
      actions={mayWrite && <Actions link={link} />}
      notice={
        link.payments_above_max > 0 && (
          <section
            aria-label={t("above.title")}
            className="mb-8 grid gap-1 border-warn border-l-2 bg-surface px-4 py-3"
          >
            <p className="font-medium">{t("above.why", { count: link.payments_above_max, most: most ?? 0 })}</p>
            <p className="text-muted">{t("above.advice")}</p>
          </section>
        )
      }
      aside={
        <Section title={t("facts")}>
          <Facts
            rows={[
              [t("payments"), most ? t("ofMost", { count, most }) : String(count)],
              product
                ? [
                    t("product"),
                    <AccountLink key="product" href={`/products/${product.reference_id}`} className="underline">
                      {product.name}
                    </AccountLink>,
                  ]
                : null,
              expires_at ? [t("until"), <Time key="until" at={expires_at} end />] : null,
              link.collect_address ? [t("delivery"), t("collected")] : null,
              link.return_url ? [wayBack("fields.return_url"), <Copyable key="return" text={link.return_url} />] : null,
              link.cancel_url ? [wayBack("fields.cancel_url"), <Copyable key="cancel" text={link.cancel_url} />] : null,
              [t("id"), <Copyable key="id" text={token} />],
              [t("createdAt"), <Time key="created" at={link.created_at} absolute />],
            ]}
          />
        </Section>
      }
      timeline={<RecordTimeline subject="payment_link" id={token} record={link} />}
      raw={link}
    >
      <Section title={t("address")}>
        <Address url={url} copy={t("copy")} open={t("open")} />
      </Section>
      <Payments id={token} />
    </Record>
  );
}

function Payments({ id }: { id: string }) {
  const t = useTranslations("paymentLinks");
  const { result, list } = useList(paymentsOf(id), useApi().account);
  const columns = useSaleColumns();
  return (
    <Section
      title={t("payments")}
      aside={
        <AccountLink href={`/transactions?payment_link=${id}`} className="underline underline-offset-4">
          {t("sales")}
        </AccountLink>
      }
    >
      <ListBody result={result} list={list} rows={3} empty={<Empty>{t("noPayments")}</Empty>}>
        {(rows) => <Table caption={t("payments")} rows={rows} keyOf={(row) => row.reference_id} columns={columns} />}
      </ListBody>
    </Section>
  );
}

function Actions({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks");
  const api = useApi();
  const [editing, setEditing] = useState(false);
  const isActive = link.status === "active";
  const become = isActive ? ("off" as const) : ("on" as const);
  return (
    <div className="flex gap-2">
      <Button onClick={() => setEditing(true)}>{t("edit")}</Button>
      <ConfirmButton
        look="quiet"
        title={t(`${become}.title`)}
        help={t(`${become}.help`)}
        action={t(`${become}.action`)}
        act={() =>
          api.patch(`/api/partner/v1/payment-links/${link.token}`, { status: isActive ? "inactive" : "active" })
        }
        done={t(`${become}.done`)}
        refresh={[api.account, "payment-links"]}
      >
        {t(`${become}.action`)}
      </ConfirmButton>
      {editing && <Editor link={link} onClose={() => setEditing(false)} />}
    </div>
  );
}
