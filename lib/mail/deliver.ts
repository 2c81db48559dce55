import { mayCrash } from "@/lib/crash-points";
import { IN_SCOPE, SCOPE_OF_ALL, statement } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { Claimed } from "@/lib/mail/claim";
import { type Mailer, type Message, mailer, type Sent } from "@/lib/mail/port";
import { waitAfter } from "@/lib/mail/schedule";
import { isFinal } from "@/lib/mail/states";
import { renderStored } from "@/lib/mail/stored";
import type { MailStatus } from "@/prisma/client/enums";

/** What a test may replace. */
export type Conditions = { random?: () => number; via?: Mailer };

/**
 * Makes one attempt at a claimed mail: hands it over with no transaction open, then records what became of it. After a
 * crash in between it is sent again with the same Message-ID. Nothing is recorded where `stop` ended the attempt.
 */
export async function deliverMail(worker: string, mail: Claimed, conditions: Conditions & { stop?: AbortSignal } = {}) {
  const { via = mailer(), stop, random } = conditions;
  mayCrash("mail.claimed");
  const sent = await attempt(mail, via, stop);
  if (sent.error === null) mayCrash("mail.accepted");
  else if (stop?.aborted) return;
  const { id, accountId, template } = mail;
  const attempts = mail.attempts + 1;
  if (sent.error === null) {
    await statement("record_mail_sent", SENT, [id, via.name, via.keeps]);
    log.debug({ mailId: id, accountId, template, via: via.name }, "mail sent");
    return;
  }
  const wait = isFinal(sent.error) ? null : waitAfter(attempts, random);
  const status: MailStatus = wait === null ? "exhausted" : "failed";
  await statement("record_mail_failed", FAILED, [id, worker, status, sent.error, sent.answer, wait]);
  log.warn({ mailId: id, accountId, template, error: sent.error, attempts, status }, "a mail was not accepted");
}

async function attempt(mail: Claimed, via: Mailer, stop?: AbortSignal): Promise<Sent> {
  let message: Message;
  try {
    message = { id: mail.id, to: mail.recipient, from: env.MAIL_FROM, ...renderStored(mail) };
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: "Error" };
    log.error({ mailId: mail.id, template: mail.template, name }, "a mail could not be rendered");
    return { error: "not_rendered", answer: null };
  }
  return via.send(message, stop);
}

/** It was accepted, whoever has the claim by now. */
const SENT = `with ${SCOPE_OF_ALL}
  update mails set status = 'sent', sent_at = now(), sent_by = $2, attempts = attempts + 1, next_attempt_at = null,
    claimed_by = null, claimed_until = null, error = null, answer = null,
    sealed_content = case when $3::boolean then sealed_content end
  where ${IN_SCOPE} and id = $1::uuid and status <> 'sent'`;

/** A failure counts only while the claim lasts: somebody else may be sending the mail by now. */
const FAILED = `with ${SCOPE_OF_ALL}
  update mails set status = $3::"MailStatus", error = $4, answer = $5, attempts = attempts + 1,
    next_attempt_at = now() + $6::float8 * interval '1 millisecond', claimed_by = null, claimed_until = null
  where ${IN_SCOPE} and id = $1::uuid and claimed_by = $2::uuid and status in ('pending', 'failed')`;
