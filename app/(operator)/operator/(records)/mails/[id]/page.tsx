import { staffRecordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { MailPage } from "@/components/operator/mail";
import { mailQuery } from "@/components/operator/mail-queries";
import { readMail } from "@/lib/mail/read";

export const generateMetadata = titled("mails", "one");

export default staffRecordPage({
  texts: ["timeline", "deliveries", "card"],
  subject: "mail",
  reads: ({ id: userId }, id) => [[mailQuery(id), async () => ({ data: await readMail(id, { userId }) })]],
  shows: MailPage,
});
