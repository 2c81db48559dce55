import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { transactionOverAll } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { AppError } from "@/lib/errors";
import { PLATFORM } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { readMail } from "@/lib/mail/read";
import { mailTransitions } from "@/lib/mail/states";
import { leadsToSql, startsFromSql } from "@/lib/states";

/**
 * Plans another attempt at a mail at once, for the operator's staff: at one that will not be attempted again, or only later.
 * Throws `mail_not_found`, and `invalid_transition` for one that was sent or waits already.
 */
export async function retryMail({ id }: { id: string }) {
  const userId = currentActor().id;
  const isPlanned = await transactionOverAll(async (query) => {
    const [planned] = await query<{ accountId: string | null }>("retry_mail", RETRY, [id]);
    const accountId = planned?.accountId ?? PLATFORM;
    if (planned) await recordChange(query, { accountId, subject: "mail", id, verb: "resent" });
    return planned !== undefined;
  });
  if (isPlanned) {
    wake("mails");
    log.info({ mailId: id, userId }, "a mail is sent again by staff");
  }
  const data = await readMail(id, { userId });
  if (!isPlanned) throw new AppError("invalid_transition");
  return { data };
}

const RETRY = `update mails set ${leadsToSql(mailTransitions.retry)}, next_attempt_at = now()
  where id = $1::uuid and ${startsFromSql(mailTransitions.retry)} and sealed_content is not null
  returning account_id as "accountId"`;
