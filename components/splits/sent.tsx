"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { useNumbers } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { Row, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { CancelSplit } from "@/components/splits/cancel";
import { usePlanName } from "@/components/splits/offer";
import { SplitStatusWord } from "@/components/splits/status";
import { SplitTabs } from "@/components/splits/tabs";
import { Time } from "@/components/ui/time";
import type { Invite, InvitePage, SplitQuery } from "@/lib/subscription-splits/schema";

const statuses = ["pending", "accepted", "rejected", "cancelled"] as const;

/** The splits that the account gives of its own sales. */
export function SentSplits({ source, curl }: ListProps<InvitePage, keyof SplitQuery>) {
  const t = useTranslations("splits");
  const mayInvite = useMay("splits:write");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={mayInvite && { label: t("invitePlan"), href: "/products" }}
      pages={<SplitTabs />}
      choices={[
        {
          ...{ filter: "status", label: t("status.label"), any: t("status.any") },
          options: statuses.map((status) => [status, t(`status.${status}`)]),
        },
      ]}
      empty={t("emptySent")}
      nothing={t("nothingSent")}
      curl={curl}
      rows={3}
    >
      {(rows) => (
        <Rows>
          {rows.map((invite) => (
            <Sent key={invite.id} invite={invite} />
          ))}
        </Rows>
      )}
    </List>
  );
}

function Sent({ invite }: { invite: Invite }) {
  const { percent } = useNumbers();
  const t = useTranslations("splits");
  const planName = usePlanName();
  const { account } = useApi();
  const { recipient, plan, percentage, status, invited_at } = invite;
  return (
    <Row
      figure={percent(percentage)}
      title={recipient.name || recipient.email}
      note={
        <>
          {recipient.name && <p className="truncate">{recipient.email}</p>}
          <p className="wrap-anywhere">{planName(plan)}</p>
        </>
      }
      cells={[
        <p key="when" className="text-caption text-muted">
          {t("invited")} <Time at={invited_at} />
        </p>,
        <SplitStatusWord key="status" status={status} />,
      ]}
      end={
        <div className="md:w-20">
          <CancelSplit invite={invite} refresh={[account, "splits"]} />
        </div>
      }
    />
  );
}
