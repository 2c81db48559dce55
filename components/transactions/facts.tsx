"use client";
import { useTranslations } from "use-intl";
import { useMay, useSession } from "@/components/account";
import { useCardName } from "@/components/cards/card-name";
import { documentNumber, phoneNumber } from "@/components/format";
import type { AccountPath } from "@/components/paths";
import type { TransactionDetail } from "@/components/transactions/queries";
import { Copyable, CopyButton } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { methodOfV2 } from "@/lib/methods/methods";

/** What the sale belongs to; each has its own sales. */
function Related({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("sale.related");
  const { features } = useSession();
  const [mayPlans, maySubscriptions] = [useMay("plans:read"), useMay("subscriptions:read")];
  const recurs = features.includes("recurring");
  const { subscription, plan, payment_link: link, has_customer } = detail.related;
  const to = (href: AccountPath, text: string) => (
    <AccountLink key={href} href={href} className="underline underline-offset-4">
      {text}
    </AccountLink>
  );
  const saleId = detail.transaction.reference_id;
  const { name } = detail.customer;
  const rows = [
    subscription &&
      maySubscriptions &&
      recurs &&
      ([t("subscription"), to(`/subscriptions/${subscription}`, t("open"))] as const),
    plan &&
      mayPlans &&
      ([t("plan"), plan.product && recurs ? to(`/products/${plan.product}`, plan.name) : plan.name] as const),
    link && ([t("paymentLink"), to(`/payment-links/${link.token}`, link.description)] as const),
    has_customer &&
      ([
        t("customer"),
        to(`/transactions?customer=${saleId}`, name ? t("salesOfNamed", { name }) : t("salesOfCustomer")),
      ] as const),
  ].map((row) => row || null);
  if (rows.every((row) => row === null)) return null;
  return (
    <Section title={t("title")}>
      <Facts rows={rows} />
    </Section>
  );
}

/** An address as it is written on a parcel. */
function linesOf({ street, number, complement, district, city, state, postal_code }: Address): string[] {
  const place = [street, number, complement].filter(Boolean).join(", ");
  return [place, district, `${city} – ${state}`, postal_code.replace(/^(\d{5})(\d{3})$/, "$1-$2")];
}

type Address = NonNullable<TransactionDetail["delivery_address"]>;

/** The right third of the page: the sale's facts, its client, and what it belongs to. */
export const SaleFacts = ({ detail }: { detail: TransactionDetail }) => (
  <>
    <SaleData detail={detail} />
    <Related detail={detail} />
  </>
);

const trackedNames = ["source", "medium", "campaign", "term", "content", "src", "sck"] as const;

/** Where the sale came from, as its caller or the address of its page said. */
function CameFrom({ tracking: { utm, src, sck } }: Pick<TransactionDetail, "tracking">) {
  const t = useTranslations("sale.cameFrom");
  const given: Partial<Record<string, string>> = { ...utm, src, sck };
  const rows = trackedNames.map((name) => {
    const value = given[name];
    return value ? ([t(name), value] as [string, string]) : null;
  });
  if (rows.every((row) => row === null)) return null;
  return (
    <Section title={t("title")}>
      <Facts rows={rows} />
    </Section>
  );
}

/** A sale's facts and its client, also for the operator's staff. */
export function SaleData({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("sale");
  const names = useTranslations("methods");
  const cardName = useCardName();
  const { transaction, customer, payment, expires_at } = detail;
  return (
    <>
      <Section title={t("facts")}>
        <Facts
          rows={[
            [t("id"), <Copyable key="id" text={transaction.reference_id} label={t("copyId")} />],
            transaction.end_to_end_id && [t("endToEnd"), <Copyable key="e2e" text={transaction.end_to_end_id} />],
            detail.is_paid_by_other && detail.payer && [t("payer"), detail.payer.name],
            transaction.description && [t("description"), transaction.description],
            payment.card
              ? [t("card"), cardName(payment.card)]
              : [t("method"), names(`${methodOfV2(transaction.payment_method)}.name`)],
            payment.card && [t("payment"), t("installments", { count: payment.card.installments })],
            [t("origin"), t(`origins.${transaction.origin}`)],
            [t("created"), <Time key="created" at={transaction.created_at} absolute />],
            transaction.paid_at && [t("paid"), <Time key="paid" at={transaction.paid_at} absolute />],
            transaction.status === "pending" &&
              expires_at && [t("expires"), <Time key="expires" at={expires_at} end />],
            transaction.status === "pending" &&
              payment.pix?.code && [
                t("code"),
                <CopyButton key="code" text={payment.pix.code} label={t("copyCode")} className="-ml-2.5" />,
              ],
          ].map((row) => (row ? (row as [string, React.ReactNode]) : null))}
        />
      </Section>
      <CameFrom tracking={detail.tracking} />
      {(customer.name || customer.email || customer.document) && (
        <Section title={t("customer")}>
          <Facts
            rows={[
              customer.name ? [t("name"), customer.name] : null,
              customer.document ? [t("document"), documentNumber(customer.document)] : null,
              customer.email ? [t("email"), customer.email] : null,
              customer.phone ? [t("phone"), phoneNumber(customer.phone)] : null,
            ]}
          />
        </Section>
      )}
      {detail.delivery_address && (
        <Section
          title={t("delivery")}
          aside={<CopyButton text={linesOf(detail.delivery_address).join("\n")} iconOnly />}
        >
          <address className="not-italic">
            {linesOf(detail.delivery_address).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
        </Section>
      )}
    </>
  );
}
