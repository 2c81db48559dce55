"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { Row, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { shareOf, usePlanName } from "@/components/splits/offer";
import { SplitTabs } from "@/components/splits/tabs";
import { Terms } from "@/components/splits/terms";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { Invite, InvitePage, SplitQuery } from "@/lib/subscription-splits/schema";

/** The splits of others' sales: first those that wait for an answer. */
export function ReceivedSplits({ source, curl }: ListProps<InvitePage, keyof SplitQuery>) {
  const t = useTranslations("splits");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      pages={<SplitTabs />}
      empty={t("emptyReceived")}
      curl={curl}
      rows={3}
    >
      {(rows) => (
        <div className="grid gap-8 pt-6">
          <Group title={t("toAnswer")} rows={rows.filter(({ status }) => status === "pending")} />
          <Group title={t("running")} rows={rows.filter(({ status }) => status === "accepted")} />
        </div>
      )}
    </List>
  );
}

function Group({ title, rows }: { title: string; rows: Invite[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title} className="!border-0 !pt-0">
      <Rows>
        {rows.map((invite) => (
          <Offer key={invite.id} invite={invite} />
        ))}
      </Rows>
    </Section>
  );
}

function Offer({ invite }: { invite: Invite }) {
  const { money, percent } = useNumbers();
  const t = useTranslations("splits");
  const planName = usePlanName();
  const mayAnswer = useMay("splits:write");
  const { status, plan, percentage, invited_at, accepted_at } = invite;
  const isOpen = status === "pending";
  return (
    <Row
      heading="h3"
      figure={percent(percentage)}
      title={plan.seller.name}
      note={
        <>
          <p className="wrap-anywhere">{planName(plan)}</p>
          <p>{t("example", { amount: money(cents(plan.amount)), share: money(shareOf(invite)) })}</p>
        </>
      }
      cells={[
        <p key="when" className="text-caption text-muted md:text-right">
          {t(isOpen ? "invited" : "since")} <Time at={accepted_at ?? invited_at} />
        </p>,
      ]}
      end={isOpen && mayAnswer && <Answer invite={invite} />}
    />
  );
}

function Answer({ invite }: { invite: Invite }) {
  const t = useTranslations("splits");
  const api = useApi();
  const { name: seller } = invite.plan.seller;
  const refresh = [api.account, "splits"];
  const path = `/api/partner/v1/subscription-splits/${invite.id}` as const;
  return (
    <div className="flex gap-2">
      <ConfirmButton
        aria-label={t("acceptNamed", { seller })}
        title={t("acceptTitle", { seller })}
        help={<Terms invite={invite} />}
        action={t("acceptNow")}
        actionLook="primary"
        act={() => api.post(`${path}/accept`)}
        done={t("accepted")}
        refresh={refresh}
      >
        {t("accept")}
      </ConfirmButton>
      <ConfirmButton
        look="quiet"
        aria-label={t("rejectNamed", { seller })}
        title={t("rejectTitle", { seller })}
        help={t("rejectHelp")}
        action={t("reject")}
        act={() => api.post(`${path}/reject`)}
        done={t("rejected")}
        refresh={refresh}
      >
        {t("reject")}
      </ConfirmButton>
    </div>
  );
}
