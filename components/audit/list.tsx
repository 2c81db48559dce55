"use client";
import { clsx } from "clsx";
import { ChevronRight, ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useAuditWords } from "@/components/audit/words";
import { ExportButtons } from "@/components/list/export";
import { List, type ListProps } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { Copyable } from "@/components/ui/copy";
import { Facts } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { type AuditEntry, type AuditPage, type AuditQuery, actorKinds, auditSubjects } from "@/lib/audit-log/schema";

type Named = Exclude<keyof AuditQuery, "per_page">;
export type AuditProps = ListProps<AuditPage, Named>;

/** The link to the page of what happened, where there is one for whoever reads it. */
export type LinkOf = (entry: AuditEntry) => ReactNode;

type Shown = Pick<AuditProps, "source"> & { account: string | null; linkOf: LinkOf; title?: string; pages?: ReactNode };

/** Entries of an audit with their filters; the staff reads it for no account of its own. */
export function AuditList({ source, account, linkOf, title, pages }: Shown) {
  const t = useTranslations("audit");
  const { result, list } = useList(source, account);
  const { account: whose, people = [] } = result.data?.meta ?? {};
  return (
    <List
      result={result}
      list={list}
      title={title ?? (whose ? t("of", { name: whose.name }) : t("title"))}
      purpose={pages ? undefined : t(whose ? "purpose" : "purposeOfStaff")}
      pages={
        pages && (
          <>
            {pages}
            <p className="-mt-2 mb-6 max-w-[64ch] text-muted">{t("purpose")}</p>
          </>
        )
      }
      tools={result.data && <Seal page={result.data} />}
      choices={[
        {
          filter: "by",
          label: t("by"),
          any: t("anyKind"),
          options: actorKinds.map((kind) => [kind, t(`kinds.${kind}`)]),
        },
        {
          filter: "person",
          label: t("person"),
          any: t("anyPerson"),
          options: people.map(({ id, name }) => [id, name]),
        },
        {
          ...{ filter: "subject", label: t("subject"), any: t("anySubject") },
          options: auditSubjects.map((subject) => [subject, t(`subjects.${subject}`)]),
        },
      ]}
      hasPeriod
      beside={
        <ExportButtons
          path={`${source.path}/export` as typeof source.path}
          account={account}
          asked={{
            by: list.filters.by,
            person: list.filters.person,
            subject: list.filters.subject,
            from: list.filters.from,
            to: list.filters.to,
          }}
          file={t("file")}
        />
      }
      empty={t("empty")}
      nothing={t(result.data?.meta.next_cursor ? "nothingYet" : "nothingFound")}
      shown={t}
    >
      {(entries: AuditEntry[]) => (
        <ul className="border-b">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} link={linkOf(entry)} />
          ))}
        </ul>
      )}
    </List>
  );
}

/** Whether what is shown is as it was written, and up to where the chain was verified when it was last published. */
function Seal({ page: { data, meta } }: { page: AuditPage }) {
  const t = useTranslations("audit.seal");
  const altered = data.filter(({ state }) => state === "altered").length;
  if (altered > 0) {
    return (
      <div role="alert" className="mb-2 flex items-start gap-3 border-bad border-l-2 bg-surface px-4 py-3">
        <ShieldAlert aria-hidden="true" className="mt-0.5 size-[18px] shrink-0 text-bad" />
        <p>{t("altered", { altered })}</p>
      </div>
    );
  }
  const { verified } = meta;
  return (
    <p className="mb-2 flex items-start gap-3 text-muted">
      <ShieldCheck aria-hidden="true" className="mt-0.5 size-[18px] shrink-0" />
      <span>
        {verified
          ? t.rich("verified", {
              number: verified.number,
              at: () => <Time at={verified.at} absolute />,
              published: () => <Time at={verified.published_at} absolute />,
            })
          : t("notYet")}
      </span>
    </p>
  );
}

function Entry({ entry, link }: { entry: AuditEntry; link: ReactNode }) {
  const t = useTranslations("audit");
  const { title, who, note, changes } = useAuditWords()(entry);
  const { at, ip, request_id, number, state, id } = entry;
  return (
    <li className="border-t">
      <details className="group">
        <summary className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 py-3 transition-colors hover:bg-line/35">
          <ChevronRight aria-hidden="true" className="size-4 text-muted transition-transform group-open:rotate-90" />
          <span className={clsx("wrap-anywhere", state === "altered" && "text-bad")}>
            <span className="font-medium">{title}</span>
            {note && ` · ${note}`}
          </span>
          <span className="text-caption text-muted">
            <Time at={at} real />
          </span>
          <span className="col-start-2 truncate text-caption text-muted">{who}</span>
        </summary>
        <div className="grid gap-5 pt-1 pb-6 pl-7 max-sm:pl-0 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] sm:gap-x-12">
          <div className="grid content-start gap-3">
            {changes.length > 0 && (
              <dl className="grid gap-2">
                {changes.map(({ name, before, after }) => (
                  <div key={name} className="grid min-w-0">
                    <dt className="text-caption text-muted first-letter:uppercase">{name}</dt>
                    <dd className="wrap-anywhere">
                      {t("changed", { before: before ?? t("none"), after: after ?? t("none") })}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            {entry.reason && <p className="wrap-anywhere">{t("reason", { reason: entry.reason })}</p>}
            {link}
          </div>
          <Facts
            rows={[
              [t("when"), <Time key="at" at={at} absolute />],
              ip !== null && [t("ip"), <Copyable key="ip" text={ip} />],
              request_id !== null && [t("request"), <Copyable key="request" text={request_id} />],
              [t("event"), <Copyable key="event" text={id} />],
              [t("chain"), number === null ? t("states.waiting") : t(`states.${state}`, { number })],
            ]}
          />
        </div>
      </details>
    </li>
  );
}

export const recordLink = "font-medium text-accent underline underline-offset-4";
