"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { CodeBlock } from "@/components/ui/code";
import { CopyButton } from "@/components/ui/copy";
import { Loaded } from "@/components/ui/loaded";
import { Columns, DetailHead, PageHead } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";

type Read<T> = { result: UseQueryResult<T>; title: string; children: (data: T) => ReactNode };

/** A record from the API, with its noun as the title until it has arrived. */
export const ReadRecord = <T,>({ result, title, children }: Read<T>) => (
  <Loaded result={result} head={<PageHead title={title} />} skeleton={<RowsSkeleton rows={5} />}>
    {children}
  </Loaded>
);

type Props = {
  /** The way back to its list, where the page does not have it. */
  trail?: ReactNode;
  title: ReactNode;
  status: ReactNode;
  actions?: ReactNode;
  /** What must be known of it first. */
  notice?: ReactNode;
  /** What the page is for. */
  children: ReactNode;
  /** The right third: facts, and what the record belongs to. */
  aside: ReactNode;
  /** What happened around it; last on a phone. */
  timeline: ReactNode;
  /** The record as the API answers it, for integrators. */
  raw?: object;
};

/** A record's page: head with status and actions, what it is for, facts, what happened, and the raw record. */
export function Record({ trail, title, status, actions, notice, children, aside, timeline, raw }: Props) {
  return (
    <>
      {trail}
      <DetailHead title={title} status={status} actions={actions} />
      {notice}
      <Columns>
        <div className="grid min-w-0 gap-8 max-lg:contents">
          {children}
          {timeline}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8 max-lg:contents">
          {aside}
          {raw && <Raw record={raw} />}
        </div>
      </Columns>
    </>
  );
}

/** The record as the API answers it, folded. */
function Raw({ record }: { record: object }) {
  const t = useTranslations("common");
  const text = JSON.stringify(record, null, 2);
  return (
    <details className="group min-w-0 border-t pt-3">
      <summary className="flex h-8 items-center font-semibold">{t("raw")}</summary>
      <div className="relative mt-2">
        <CodeBlock className="max-h-96">{text}</CodeBlock>
        <CopyButton text={text} iconOnly className="absolute top-1.5 right-1.5 bg-surface" />
      </div>
    </details>
  );
}
