"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { cents } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { LinkStatus } from "@/components/payment-links/status";
import { CopyButton } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import type { PaymentLink, PaymentLinkPage, PaymentLinkQuery } from "@/lib/payment-links/schema";

const Editor = lazyWindow(() => import("@/components/payment-links/editor").then((module) => module.LinkEditor));

const statuses = ["active", "inactive"] as const;

export function PaymentLinks({ source, curl }: ListProps<PaymentLinkPage, keyof PaymentLinkQuery>) {
  const t = useTranslations("paymentLinks");
  const mayWrite = useMay("transactions:write");
  const maySell = useMaySell();
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor, disabled: !maySell }}
      search={{ label: t("search"), hint: t("searchHint") }}
      choices={[
        {
          ...{ filter: "status", label: t("status.label"), any: t("status.any") },
          options: statuses.map((status) => [status, t(`status.${status}`)]),
        },
      ]}
      empty={t("empty")}
      nothing={t("nothing")}
      curl={curl}
      rows={4}
      shown={t}
      keyOf={(link) => link.token}
      columns={[
        { head: t("one"), place: "title", cell: (link) => <Title link={link} /> },
        { head: t("status.label"), place: "bottomLeft", cell: (link) => <LinkStatus link={link} /> },
        {
          head: t("payments"),
          place: "wide",
          className: "text-muted tabular-nums",
          cell: (link) => <Payments link={link} />,
        },
        {
          head: t("createdAt"),
          place: "bottomRight",
          className: "text-muted",
          cell: (link) => <Time at={link.created_at} />,
        },
        {
          head: t("actions"),
          place: "actions",
          cell: (link) => <CopyButton text={link.url} iconOnly label={t("copy")} className="relative z-[1]" />,
        },
        { head: t("amount"), place: "amount", cell: (link) => <Money cents={cents(link.amount)} /> },
      ]}
    />
  );
}

/** How many payments a link had, of how many, and how many more than that. */
function Payments({
  link: { payments_count: count, max_payments: most, payments_above_max: above },
}: {
  link: PaymentLink;
}) {
  const t = useTranslations("paymentLinks");
  if (most === null) return count;
  return (
    <>
      {t("ofMost", { count, most })}
      {above > 0 && <span className="text-warn"> · {t("above.short", { count: above })}</span>}
    </>
  );
}

function Title({ link: { token, description, product } }: { link: PaymentLink }) {
  return (
    <AccountLink href={`/payment-links/${token}`} className={covering}>
      {description}
      {product && <span className="font-normal text-muted"> · {product.name}</span>}
    </AccountLink>
  );
}
