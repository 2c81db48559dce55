"use client";
import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { cents, useDates, useNumbers } from "@/components/format";
import { Logo } from "@/components/frame/logo";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Loaded } from "@/components/ui/loaded";
import { Money } from "@/components/ui/money";
import { PageHead } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { maskedDocument, maskedKey } from "@/components/withdrawals/key";
import { withdrawalQuery } from "@/components/withdrawals/queries";
import type { WithdrawalDetail } from "@/lib/withdrawals/schema";

/** The receipt of a paid withdrawal, on paper: who paid whom, how much, when, and the ids by which both banks find it. */
export function WithdrawalReceipt({ id }: { id: string }) {
  const t = useTranslations("withdrawals");
  const result = useQuery(withdrawalQuery(useApi().account, id));
  return (
    <>
      <div className="print:hidden">
        <Breadcrumb href={`/withdrawals/${id}`} list={t("one")} here={t("receipt.open")} />
      </div>
      <Loaded result={result} head={<PageHead title={t("receipt.title")} />} skeleton={<RowsSkeleton rows={6} />}>
        {({ data }) => (data.paid_at === null ? <None id={id} /> : <Paper withdrawal={data} paidAt={data.paid_at} />)}
      </Loaded>
    </>
  );
}

function None({ id }: { id: string }) {
  const t = useTranslations("withdrawals.receipt");
  return (
    <div className="grid justify-items-start gap-4">
      <h1 className="font-semibold text-title">{t("title")}</h1>
      <p>{t("none")}</p>
      <ButtonLink href={`/withdrawals/${id}`}>{t("back")}</ButtonLink>
    </div>
  );
}

function Paper({ withdrawal, paidAt }: { withdrawal: WithdrawalDetail; paidAt: string }) {
  const t = useTranslations("withdrawals.receipt");
  const types = useTranslations("withdrawals.keyTypes");
  const { money } = useNumbers();
  const { full } = useDates();
  const { mode } = useSession().account;
  const { amount, payer, owner_name, document, pix_key_type: type, pix_key: key, returned_amount } = withdrawal;
  const returned = cents(returned_amount);
  return (
    <div className="mx-auto grid max-w-[600px] gap-4">
      <article className="grid gap-6 rounded-card border bg-surface px-8 py-7 max-sm:px-5 print:rounded-none print:border-0 print:p-0">
        <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-ink border-b pb-4">
          <h1 className="font-semibold text-prose">{t("title")}</h1>
          <Logo />
        </header>
        {mode === "sandbox" && <p className="font-medium text-warn">{t("sandbox")}</p>}
        <div className="grid gap-0.5">
          <p className="text-caption text-muted">{t("amount")}</p>
          <p className="font-semibold text-figure tracking-[-0.02em]">
            <Money cents={cents(amount)} />
          </p>
          <p className="text-muted">
            {t("when")} <time dateTime={paidAt}>{full(paidAt, true)}</time>
          </p>
        </div>
        <Side
          title={t("payer")}
          rows={[
            [t("name"), payer.name],
            [t("document"), maskedDocument(payer.document)],
          ]}
        />
        <Side
          title={t("payee")}
          rows={[
            owner_name !== null && [t("name"), owner_name],
            [t("document"), maskedDocument(document)],
            [t("key"), `${maskedKey({ type, key })} (${types(type)})`],
          ]}
        />
        <Side
          rows={[
            withdrawal.description !== null && [t("description"), withdrawal.description],
            withdrawal.end_to_end_id !== null && [t("endToEnd"), <Id key="e2e">{withdrawal.end_to_end_id}</Id>],
            [t("id"), <Id key="id">{withdrawal.reference_id}</Id>],
          ]}
        />
        <footer className="grid gap-1 border-t pt-4 text-caption text-muted">
          {returned > 0 && <p className="text-ink">{t("returned", { amount: money(returned) })}</p>}
          <p>{t("check")}</p>
        </footer>
      </article>
      <Button className="justify-self-start print:hidden" onClick={() => window.print()}>
        <Printer aria-hidden="true" />
        {t("print")}
      </Button>
    </div>
  );
}

const Id = ({ children }: { children: string }) => <code className="break-all font-mono text-caption">{children}</code>;

type SideProps = { title?: string; rows: (readonly [label: string, value: ReactNode] | false)[] };

/** One side of the payment, or its ids: each label beside its value, as on paper. */
function Side({ title, rows }: SideProps) {
  return (
    <section className="grid gap-2">
      {title && <h2 className="font-semibold">{title}</h2>}
      <dl className="grid gap-1.5">
        {rows.map(
          (row) =>
            row && (
              <div
                key={row[0]}
                className="grid grid-cols-[132px_minmax(0,1fr)] items-baseline gap-4 max-sm:grid-cols-1 max-sm:gap-0"
              >
                <dt className="text-muted max-sm:text-caption">{row[0]}</dt>
                <dd className="wrap-anywhere min-w-0">{row[1]}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
