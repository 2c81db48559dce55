import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { mails, PER_PAGE } from "@/components/operator/mail-queries";
import { Mails } from "@/components/operator/mails";
import { requireStaff } from "@/lib/auth/session";
import { listMails } from "@/lib/mail/read";
import { MailsQuery } from "@/lib/mail/schema";

export const generateMetadata = titled("mails", "title");

export default async function MailsPage({ searchParams }: Searched) {
  await requireStaff();
  const filters = mails.filtersOf(await searchParams);
  const read = async () => listMails(MailsQuery.parse({ ...filters, per_page: PER_PAGE }));
  return (
    <Hydrated reads={[[mails.of(null, filters), read]]}>
      <Mails />
    </Hydrated>
  );
}
