"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { cents, documentNumber } from "@/components/format";
import { Table } from "@/components/list/table";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import { SellerLink } from "@/components/operator/seller-link";
import { type UnmatchedDetail, unmatchedQuery } from "@/components/operator/unmatched-queries";
import { UnmatchedStatusWord, useReasonWords } from "@/components/operator/unmatched-status";
import { ReadRecord, Record } from "@/components/record/record";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";
import { unmatchedTransitions } from "@/lib/unmatched/states";

/** Each form is a part of its own, which most visits never need. */
const windows = {
  match: lazyWindow(() => import("@/components/operator/unmatched-forms").then((module) => module.Match)),
  credit: lazyWindow(() => import("@/components/operator/unmatched-forms").then((module) => module.Credit)),
  transfer: lazyWindow(() => import("@/components/operator/unmatched-forms").then((module) => module.Transfer)),
  return: lazyWindow(() => import("@/components/operator/unmatched-forms").then((module) => module.Return)),
};
const deeds = ["match", "credit", "transfer", "return"] as const;
type Deed = (typeof deeds)[number];

/** Money that belonged to no open sale, for who decides about it: where it came from, and the sales that it may be for. */
export function UnmatchedPage({ account, id }: { account: string; id: string }) {
  const t = useTranslations("unmatched");
  const result = useQuery(unmatchedQuery(account, id));
  return (
    <>
      <Back href="/operator/unmatched">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known money={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ money }: { money: UnmatchedDetail }) {
  const t = useTranslations("unmatched");
  const reasonOf = useReasonWords();
  const [deed, setDeed] = useState<{ name: Deed; sale?: string }>();
  const mayDecide = useStaffMay("money:write");
  const Window = deed && windows[deed.name];
  const { account, transaction } = money;
  return (
    <>
      <Record
        title={<Money cents={cents(money.amount)} className="text-figure tracking-[-0.02em]" />}
        status={
          <>
            <UnmatchedStatusWord status={money.status} />
            <span className="min-w-0">{reasonOf(money.reason)}</span>
            <span className="text-muted">
              {t("came")} <Time at={money.received_at} />
            </span>
          </>
        }
        actions={
          mayDecide && (
            <div className="flex flex-wrap gap-2">
              {deeds
                .filter((name) => name !== "transfer" || money.may_be_own_transfer)
                .filter((name) => unmatchedTransitions[name].from.some((from) => from === money.status))
                .map((name) => (
                  <Button
                    key={name}
                    look={name === "match" ? "primary" : "secondary"}
                    onClick={() => setDeed({ name })}
                  >
                    {t(`${name}.open`)}
                  </Button>
                ))}
            </div>
          )
        }
        timeline={
          account &&
          transaction && <ReviewedTimeline seller={account.id} subject="transaction" id={transaction} record={money} />
        }
        aside={<Origin money={money} />}
      >
        <Decision money={money} />
        {money.status === "open" && (
          <Candidates money={money} onMatch={mayDecide ? (sale) => setDeed({ name: "match", sale }) : undefined} />
        )}
      </Record>
      {Window && <Window money={money} sale={deed.sale ?? ""} onClose={() => setDeed(undefined)} />}
    </>
  );
}

/** What was decided, or what happens next. */
function Decision({ money }: { money: UnmatchedDetail }) {
  const t = useTranslations("unmatched");
  const { status, decision, decided_by, decided_at, return_failure, credited_to, matched_transaction } = money;
  return (
    <Section title={t("what")}>
      <p className="mb-3">{t(status === "open" && money.is_returned_by_policy ? "now.byItself" : `now.${status}`)}</p>
      <Facts
        rows={[
          return_failure !== null && [t("failure"), return_failure || t("noReason")],
          decided_at !== null && [t("decidedBy"), decided_by ?? t("policy")],
          decided_at !== null && [t("decidedAt"), <Time key="at" at={decided_at} absolute />],
          decision !== null && [t("why"), <Lines key="why">{decision}</Lines>],
          credited_to !== null && [t("to"), <AccountOf key="to" {...credited_to} />],
          matched_transaction !== null &&
            credited_to !== null && [
              t("sale"),
              <PageLink
                key="sale"
                href={`/operator/accounts/${credited_to.id}/transactions/${matched_transaction}`}
                className="underline underline-offset-4"
              >
                {matched_transaction}
              </PageLink>,
            ],
          money.from_provider !== null && [t("from"), money.from_provider],
          money.provider_return_id !== null && [t("returnId"), <Copyable key="rid" text={money.provider_return_id} />],
        ]}
      />
    </Section>
  );
}

const Lines = ({ children }: { children: string }) => <span className="whitespace-pre-line">{children}</span>;

const AccountOf = ({ id, name }: { id: string; name: string }) => <SellerLink id={id}>{name}</SellerLink>;

/** The sales of its amount that it may have been meant for. */
function Candidates({ money, onMatch }: { money: UnmatchedDetail; onMatch?: ((sale: string) => void) | undefined }) {
  const t = useTranslations("unmatched");
  const statuses = useTranslations("status");
  const { candidates } = money;
  return (
    <Section title={t("candidates.title")}>
      {candidates.length === 0 ? (
        <p className="text-muted">{t("candidates.none")}</p>
      ) : (
        <Table
          caption={t("candidates.title")}
          rows={candidates}
          keyOf={({ reference_id }) => reference_id}
          columns={[
            {
              head: t("candidates.sale"),
              place: "title",
              cell: ({ account, client, description, reference_id }) => (
                <PageLink
                  href={`/operator/accounts/${account.id}/transactions/${reference_id}`}
                  className="block truncate font-medium underline underline-offset-4"
                >
                  {client ?? description ?? reference_id}
                  <span className="font-normal text-muted"> · {account.name}</span>
                </PageLink>
              ),
            },
            {
              head: t("candidates.status"),
              place: "bottomLeft",
              className: "text-muted",
              cell: ({ status, is_same_txid }) =>
                [statuses(status), is_same_txid && t("candidates.sameCode")].filter(Boolean).join(" · "),
            },
            {
              head: t("candidates.made"),
              place: "bottomRight",
              className: "text-muted",
              cell: ({ created_at }) => <Time at={created_at} />,
            },
            {
              head: t(onMatch ? "candidates.decide" : "columns.amount"),
              place: "amount",
              cell: ({ reference_id, amount }): ReactNode =>
                onMatch ? (
                  <Button onClick={() => onMatch(reference_id)}>{t("candidates.use")}</Button>
                ) : (
                  <Money cents={cents(amount)} />
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}

/** Where it came from, and what it named. */
function Origin({ money }: { money: UnmatchedDetail }) {
  const operator = useTranslations("operator");
  const t = useTranslations("unmatched");
  const { account, payer, transaction } = money;
  return (
    <Section title={t("origin")}>
      <Facts
        rows={[
          [operator("mode"), operator(`modes.${money.mode}`)],
          [t("account"), account ? <AccountOf key="account" {...account} /> : t("noAccount")],
          account !== null &&
            transaction !== null && [
              t("named"),
              <PageLink
                key="sale"
                href={`/operator/accounts/${account.id}/transactions/${transaction}`}
                className="underline underline-offset-4"
              >
                {transaction}
              </PageLink>,
            ],
          payer?.name != null && [t("payer"), payer.name],
          payer?.document != null && [t("document"), documentNumber(payer.document)],
          [t("received"), <Time key="received" at={money.received_at} absolute />],
          [t("provider"), money.provider],
          [t("endToEnd"), <Copyable key="e2e" text={money.end_to_end_id} />],
          money.txid !== null && [t("txid"), <Copyable key="txid" text={money.txid} />],
        ]}
      />
    </Section>
  );
}
