import { IN_SCOPE, SCOPE_OF_ALL, statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { readMail } from "@/lib/mail/read";
import { mailStates } from "@/lib/mail/states";
import { before } from "@/lib/states";
import { wake } from "@/lib/wake";

/**
 * Plans another attempt at a mail at once, for the operator's staff: at one that will not be attempted again, or only later.
 * Throws `mail_not_found`, and `invalid_transition` for one that was sent or waits already.
 */
export async function retryMail(id: string, { userId }: { userId: string }) {
  const values = [id, before(mailStates, "pending")];
  const planned = await statement<{ id: string }>("retry_mail", RETRY, values);
  if (planned.length > 0) {
    wake("mails");
    log.info({ mailId: id, userId }, "a mail is sent again by staff");
  }
  const data = await readMail(id, { userId });
  if (planned.length === 0) throw new AppError("invalid_transition");
  return { data };
}

const RETRY = `with ${SCOPE_OF_ALL}
  update mails set status = 'pending', next_attempt_at = now()
  where ${IN_SCOPE} and id = $1::uuid and status = any($2::"MailStatus"[]) and sealed_content is not null
  returning id`;
