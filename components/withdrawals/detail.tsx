"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { cents, documentNumber } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Copyable } from "@/components/ui/copy";
import { Money } from "@/components/ui/money";
import { Facts, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import { Time } from "@/components/ui/time";
import { WithdrawalActions } from "@/components/withdrawals/actions";
import { keyText, payeeText } from "@/components/withdrawals/key";
import { withdrawalQuery } from "@/components/withdrawals/queries";
import { WithdrawalStatusWord } from "@/components/withdrawals/status";
import { Why } from "@/components/withdrawals/why";
import type { WithdrawalDetail } from "@/lib/withdrawals/schema";
import { openWithdrawals } from "@/lib/withdrawals/states";

/** How often a withdrawal that has not ended is read again. */
const POLL_MS = { live: 10_000, sandbox: 3_000 };

const isOpen = ({ status }: WithdrawalDetail) => openWithdrawals.some((open) => open === status);

/** One withdrawal: what it holds and why, who receives it, and what happened. */
export function WithdrawalPage({ id }: { id: string }) {
  const t = useTranslations("withdrawals");
  const { mode } = useSession().account;
  const result = useQuery({
    ...withdrawalQuery(useApi().account, id),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.data) ? POLL_MS[mode] : false),
  });
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known withdrawal={data} />}
    </ReadRecord>
  );
}

function Known({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useTranslations("withdrawals");
  const { reference_id: id, status, amount, created_at } = withdrawal;
  return (
    <Record
      trail={<Breadcrumb href="/withdrawals" list={t("title")} here={payeeText(withdrawal)} />}
      title={<Money cents={cents(amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <WithdrawalStatusWord status={status} />
          <span className="text-muted">
            <Time at={created_at} absolute />
          </span>
        </>
      }
      actions={<WithdrawalActions withdrawal={withdrawal} />}
      notice={<Why withdrawal={withdrawal} />}
      aside={<Aside withdrawal={withdrawal} />}
      timeline={<RecordTimeline subject="withdrawal" id={id} record={withdrawal} />}
      raw={withdrawal}
    >
      <Section title={t("cost")}>
        <Cost withdrawal={withdrawal} />
      </Section>
      {withdrawal.returns.length > 0 && <Returns withdrawal={withdrawal} />}
    </Record>
  );
}

function Cost({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useTranslations("withdrawals");
  const { status, amount, fee, total } = withdrawal;
  const isPaid = status === "paid" || status === "returned";
  const sum = isOpen(withdrawal) ? "totalHeld" : isPaid ? "totalPaid" : "totalReleased";
  return (
    <SumTable
      caption={t("cost")}
      lines={[
        [t("receives"), <Money key="amount" cents={cents(amount)} />],
        [t("fee"), <Money key="fee" cents={cents(fee)} />],
      ]}
      sum={[t(sum), <Money key="total" cents={cents(total)} />]}
    />
  );
}

/** What of a paid withdrawal came back, part by part. */
function Returns({ withdrawal: { returns, returned_amount } }: { withdrawal: WithdrawalDetail }) {
  const t = useTranslations("withdrawals");
  return (
    <Section title={t("returns")}>
      <table className="w-full">
        <caption className="sr-only">{t("returns")}</caption>
        <tbody>
          {returns.map(({ return_id, amount, reason, created_at }) => (
            <tr key={return_id} className="h-11 border-t first:border-t-0">
              <th scope="row" className="wrap-anywhere py-1.5 pr-4 text-left font-normal">
                <Time at={created_at} absolute />
                {reason && <span className="block text-caption text-muted">{reason}</span>}
                <span className="block font-mono text-caption text-muted">{return_id}</span>
              </th>
              <td className="text-right">
                <Money cents={cents(amount)} />
              </td>
            </tr>
          ))}
          <tr className="rule-sum h-11 font-semibold">
            <th scope="row" className="text-left font-semibold">
              {t("returned")}
            </th>
            <td className="text-right">
              <Money cents={cents(returned_amount)} />
            </td>
          </tr>
        </tbody>
      </table>
      <p className="mt-2 text-caption text-muted">{t("returnHelp")}</p>
    </Section>
  );
}

function Aside({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useTranslations("withdrawals");
  const { owner_name, document, pix_key_type: type, pix_key: key, asked_by, approved_by } = withdrawal;
  const at = (name: "approved" | "sent" | "paid" | "ended", time: string | null) =>
    time !== null && ([t(`facts.${name}`), <Time key={name} at={time} absolute />] as const);
  return (
    <>
      <Section title={t("payee.title")}>
        <Facts
          rows={[
            [t("payee.name"), owner_name ?? t("payee.untold")],
            [t("payee.document"), documentNumber(document)],
            [t("payee.key"), `${t(`keyTypes.${type}`)} ${keyText({ type, key })}`],
          ]}
        />
      </Section>
      <Section title={t("facts.title")}>
        <Facts
          rows={[
            [t("facts.id"), <Copyable key="id" text={withdrawal.reference_id} label={t("copyId")} />],
            withdrawal.end_to_end_id !== null && [
              t("facts.endToEnd"),
              <Copyable key="e2e" text={withdrawal.end_to_end_id} />,
            ],
            withdrawal.description !== null && [t("facts.description"), withdrawal.description],
            asked_by.name !== null && [t("facts.askedBy"), asked_by.name],
            approved_by !== null && [t("facts.approvedBy"), approved_by],
            at("approved", withdrawal.approved_at),
            at("sent", withdrawal.sent_at),
            at("paid", withdrawal.paid_at),
            at("ended", withdrawal.failed_at ?? withdrawal.cancelled_at),
          ]}
        />
      </Section>
    </>
  );
}
