import { env } from "@/lib/env";
import { inbox } from "@/lib/mail/inbox";
import type { Mailer } from "@/lib/mail/port";
import { smtp } from "@/lib/mail/smtp";

/** The SMTP server that `MAIL_URL` names, or the inbox that the operator reads. */
export const mailerOf = ({ staysHere }: { staysHere: boolean }): Mailer =>
  env.MAIL_URL === undefined || staysHere ? inbox : smtp;
