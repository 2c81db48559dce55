import { notFound } from "next/navigation";
import type { ComponentType } from "react";
import { Hydrated, type Read } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import type { AccountContext } from "@/lib/accounts/context";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope } from "@/lib/auth/scopes";
import { type InAccount, type Person, requireAccount, requireStaff } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import type { Namespace } from "@/messages";

type Address = { params: Promise<{ id: string }>; searchParams: Promise<Record<string, string>> };

type RecordPage<Who> = {
  /** The parts of the catalogue that the page needs beside its frame's. */
  texts?: readonly Namespace[];
  /** What the browser would ask for at once. A record that does not exist has the page of a wrong address. */
  reads: (who: Who, id: string, filters: Record<string, string>) => readonly Read[];
  /** The client component that shows it. */
  shows: ComponentType<{ id: string; curl: string }>;
  /** A call of the API for integrators: `$API` stands for the API's address, `$ID` for the record's id. */
  curl?: string;
  /** Whether a text can name a record. */
  isId?: (text: string) => boolean;
};

type SellersRecord = RecordPage<AccountContext> & { scope: Scope; feature?: Feature };

/** A record of the dashboard as a page: who may see it, what the browser would ask for at once, and how it is shown. */
export const recordPage = (record: SellersRecord) =>
  async function RecordPage({ params, searchParams }: InAccount & Address) {
    const { account } = await requireAccount(params, record.scope, record.feature);
    return show(record, account, (await params).id, await searchParams);
  };

/** A record of the operator's console as a page. */
export const staffRecordPage = (record: RecordPage<Person>) =>
  async function StaffRecordPage({ params, searchParams }: Address) {
    const person = await requireStaff();
    return show(record, person, (await params).id, await searchParams);
  };

function show<Who>(record: RecordPage<Who>, who: Who, id: string, filters: Record<string, string>) {
  const { texts = [], reads, shows: Shown, curl = "", isId: mayName = isId } = record;
  if (!mayName(id)) notFound();
  return (
    <Texts of={texts}>
      <Hydrated reads={reads(who, id, filters)}>
        <Shown id={id} curl={curl.replace("$API", `${env.APP_URL}/api/partner/v1`).replace("$ID", id)} />
      </Hydrated>
    </Texts>
  );
}
