import { IN_SCOPE, SCOPE_OF_ALL, statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { readMail } from "@/lib/mail/read";
import { mailTransitions } from "@/lib/mail/states";
import { leadsToSql, startsFromSql } from "@/lib/states";
import { wake } from "@/lib/wake";

/**
 * Plans another attempt at a mail at once, for the operator's staff: at one that will not be attempted again, or only later.
 * Throws `mail_not_found`, and `invalid_transition` for one that was sent or waits already.
 */
export async function retryMail(id: string, { userId }: { userId: string }) {
  const planned = await statement<{ id: string }>("retry_mail", RETRY, [id]);
  if (planned.length > 0) {
    wake("mails");
    log.info({ mailId: id, userId }, "a mail is sent again by staff");
  }
  const data = await readMail(id, { userId });
  if (planned.length === 0) throw new AppError("invalid_transition");
  return { data };
}

const RETRY = `with ${SCOPE_OF_ALL}
  update mails set ${leadsToSql(mailTransitions.retry)}, next_attempt_at = now()
  where ${IN_SCOPE} and id = $1::uuid and ${startsFromSql(mailTransitions.retry)} and sealed_content is not null
  returning id`;
