"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { LinkRow, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { Status, type Tone } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useKindName } from "@/components/webhooks/kind-name";
import type { EventItem, EventPage, EventQuery } from "@/lib/webhooks/schema";

const subjects = ["transaction", "refund", "subscription", "dispute", "withdrawal"] as const;

/** What happened that webhooks may be told of, newest first. */
export function Events({ source, curl }: ListProps<EventPage, keyof EventQuery>) {
  const t = useTranslations("events");
  const { money } = useNumbers();
  const kind = useKindName();
  const unnamed = useTranslations("deliveries")("unnamed");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      choices={[
        {
          filter: "subject",
          label: t("subject"),
          any: t("any"),
          options: subjects.map((one) => [one, t(`subjects.${one}`)]),
        },
      ]}
      hasPeriod
      empty={t("empty")}
      nothing={t("nothing")}
      curl={curl}
      isForDevelopers
      shown={t}
    >
      {(rows) => (
        <Rows>
          {rows.map(({ id, names, about, created_at, deliveries }) => (
            <LinkRow
              key={id}
              href={`/events/${id}`}
              title={kind(names.at(-1) ?? "")}
              note={
                about && `${about.name ?? unnamed}${about.amount === null ? "" : ` · ${money(cents(about.amount))}`}`
              }
              cells={[
                <Sent key="sent" counts={deliveries} />,
                <span key="at" className="text-caption text-muted">
                  <Time at={created_at} real />
                </span>,
              ]}
            />
          ))}
        </Rows>
      )}
    </List>
  );
}

/** What became of an event's deliveries, in one word: the worst of them. */
function Sent({ counts }: { counts: EventItem["deliveries"] }) {
  const t = useTranslations("events");
  const { delivered, pending, failed, exhausted } = counts;
  const total = delivered + pending + failed + exhausted;
  const tone: Tone = exhausted > 0 ? "bad" : failed > 0 ? "warn" : pending > 0 ? "info" : "good";
  if (total === 0) return <span className="text-muted">{t("toNobody")}</span>;
  return <Status tone={tone}>{t("delivered", { delivered, total })}</Status>;
}
