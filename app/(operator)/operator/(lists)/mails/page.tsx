import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Mails } from "@/components/operator/mails";
import { listMails } from "@/lib/mail/read";
import { MailsQuery } from "@/lib/mail/schema";

export const generateMetadata = titled("mails", "title");

export default staffListPage({
  key: ["mails", "list"],
  path: "/api/operator/v1/mails",
  query: { per_page: 25 },
  filters: MailsQuery,
  read: listMails,
  shows: Mails,
});
