import { notFound } from "next/navigation";
import type { ComponentType } from "react";
import { Hydrated, type Read } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { timelineQuery } from "@/components/timeline/query";
import type { AccountContext } from "@/lib/accounts/context";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope } from "@/lib/auth/scopes";
import { type InAccount, type PageSession, requireAccount, requireStaff, type StaffPerson } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import { readTimeline, readTimelineForStaff } from "@/lib/timeline/read";
import type { StaffSubject, TimelineSubject } from "@/lib/timeline/schema";
import type { Namespace } from "@/messages";

type Address = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, string>> };

type RecordPage<Who, Subject> = {
  /** The parts of the catalogue that the page needs beside its frame's. */
  texts?: readonly Namespace[];
  /** What the browser would ask for at once. A record that does not exist has the page of a wrong address. */
  reads: (who: Who, id: string, filters: Record<string, string>) => readonly Read[];
  /** The noun of its timeline. */
  subject: Subject;
  /** The client component that shows it. */
  shows: ComponentType<{ id: string; curl: string }>;
  /** A call of the API for integrators: `$API` stands for the API's address, `$ID` for the record's id. */
  curl?: string;
  /** Whether a text can name a record. */
  isId?: (text: string) => boolean;
};

type SellersRecord = Omit<RecordPage<AccountContext, TimelineSubject>, "reads"> & {
  scope: Scope;
  feature?: Feature;
  /** `person` is who looks at it. */
  reads: (account: AccountContext, id: string, filters: Record<string, string>, person: PageSession) => readonly Read[];
};

/** A record of the dashboard as a page: who may see it, what the browser would ask for at once, and how it is shown. */
export const recordPage = (record: SellersRecord) =>
  async function RecordPage({ params, searchParams }: InAccount & Address) {
    const session = await requireAccount(params, record.scope, record.feature);
    const { account, scopes } = session;
    const id = named(await params, record.isId);
    const timeline = () => readTimeline(account, scopes, record.subject, id);
    return show(record, session, id, [
      ...record.reads(account, id, await searchParams, session),
      [timelineQuery(account.id, { ...record, id }), timeline],
    ]);
  };

/** A record of the operator's console as a page. */
export const staffRecordPage = (record: RecordPage<StaffPerson, StaffSubject>) =>
  async function StaffRecordPage({ params, searchParams }: Address) {
    const person = await requireStaff();
    const id = named(await params, record.isId);
    const timeline = () => readTimelineForStaff(record.subject, id);
    return show(record, person, id, [
      ...record.reads(person, id, await searchParams),
      [timelineQuery(null, { ...record, id }), timeline],
    ]);
  };

/** The record's id of an address; one that can name none has the page of a wrong address. */
function named({ id }: { id: string }, mayName: (text: string) => boolean = isId): string {
  return mayName(id) ? id : notFound();
}

type Shown = Pick<RecordPage<never, never>, "texts" | "shows" | "curl">;

function show(record: Shown, person: { scopes: readonly string[] }, id: string, reads: readonly Read[]) {
  const { texts = [], shows: Detail, curl = "" } = record;
  return (
    <Texts of={texts}>
      <Hydrated for={person} reads={reads}>
        <Detail id={id} curl={curl.replace("$API", `${env.APP_URL}/api/partner/v1`).replace("$ID", id)} />
      </Hydrated>
    </Texts>
  );
}
