"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  ArrowLeftRight,
  CircleDot,
  CircleHelp,
  CreditCard,
  type LucideIcon,
  Mail,
  Pencil,
  ReceiptText,
  Send,
  Terminal,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import {
  type ReviewedTimelineOf,
  reviewedTimelineQuery,
  type TimelineOf,
  timelineQuery,
} from "@/components/timeline/query";
import { useTimelineWords } from "@/components/timeline/words";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Happening, OnClocks, Timeline } from "@/components/ui/timeline";
import type { TimelineItem } from "@/lib/timeline/schema";

const icons: Record<TimelineItem["kind"], LucideIcon> = {
  change: Pencil,
  request: Terminal,
  event: CircleDot,
  sale: ReceiptText,
  delivery: Send,
  ledger: ArrowLeftRight,
  unmatched: CircleHelp,
  mail: Mail,
  card: CreditCard,
};

/** The record as it is shown: whenever it has changed, the timeline is read again. */
type Seen = { record: unknown };

/** What happened around a record of the account, newest first. */
export function RecordTimeline({ record, ...of }: TimelineOf & Seen) {
  return <ReadTimeline query={timelineQuery(useApi().account, of)} record={record} />;
}

/** What happened around a record of the operator's console. */
export const StaffTimeline = ({ record, ...of }: TimelineOf & Seen) => (
  <ReadTimeline query={timelineQuery(null, of)} record={record} />
);

/** What happened around a seller's record that the staff decides about. */
export const ReviewedTimeline = ({ record, ...of }: ReviewedTimelineOf & Seen) => (
  <ReadTimeline query={reviewedTimelineQuery(of)} record={record} />
);

function ReadTimeline({ query, record }: Seen & { query: ReturnType<typeof timelineQuery> }) {
  const t = useTranslations("timeline");
  const wordsOf = useTimelineWords();
  const client = useQueryClient();
  const result = useQuery(query);
  const seen = useRef(record);
  const { queryKey } = query;
  useEffect(() => {
    if (seen.current === record) return;
    seen.current = record;
    client.invalidateQueries({ queryKey });
  }, [record, client, queryKey]);
  if (result.data?.data.length === 0) return null;
  return (
    <Section title={t("title")} className="max-lg:order-last">
      <Loaded result={result} skeleton={<RowsSkeleton rows={5} />}>
        {({ data }) => (
          <Timeline>
            {data.map((item) => (
              <Item key={`${item.kind}-${item.id}`} item={item} words={wordsOf(item)} />
            ))}
          </Timeline>
        )}
      </Loaded>
    </Section>
  );
}

type Words = ReturnType<ReturnType<typeof useTimelineWords>>;

function Item({ item, words: { title, note, failed } }: { item: TimelineItem; words: Words }) {
  const href = pageOf(item);
  return (
    <Happening
      icon={icons[item.kind]}
      title={
        href ? (
          <AccountLink href={href} className="underline underline-offset-4">
            {title}
          </AccountLink>
        ) : (
          title
        )
      }
      note={note}
      failed={failed}
      when={<OnClocks {...item} />}
    />
  );
}

/** The page about what happened: a delivery's event, or the sale that it happened to. */
function pageOf({ kind, event, sale }: TimelineItem): AccountPath | null {
  if (kind === "delivery") return event === null ? null : `/events/${event}`;
  return sale === null ? null : `/transactions/${sale}`;
}
