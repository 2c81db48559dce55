import { setTimeout as sleep } from "node:timers/promises";
import { concurrencyLimit, concurrencyLimits } from "@/lib/concurrency/limit";
import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { Claimed } from "@/lib/mail/claim";
import { mailerOf } from "@/lib/mail/mailers";
import type { Mailer, Message, Sent } from "@/lib/mail/port";
import { waitAfter } from "@/lib/mail/schedule";
import { isFinal, mailTransitions, openMails } from "@/lib/mail/states";
import { renderStored } from "@/lib/mail/stored";
import { mayCrash } from "@/lib/process/crash-points";
import { inSql, leadsToSql, startsFromSql } from "@/lib/states";

/** What a test may replace. */
export type Conditions = { random?: () => number; via?: Mailer };

/**
 * Makes one attempt at a claimed mail: hands it over with no transaction open, then records what became of it. Right before
 * a server may accept it, that is recorded (`unanswered`), and only while the claim lasts. After a crash from there on it is
 * sent again with the same Message-ID. Nothing more is recorded where `stop` ended the attempt.
 */
export async function deliverMail(worker: string, mail: Claimed, conditions: Conditions & { stop?: AbortSignal } = {}) {
  const { via = mailerOf(mail), stop, random } = conditions;
  mayCrash("mail.claimed");
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const mayGive = async () => {
    await turnOf(mail.accountId ?? mail.id, answered); // mails of nobody are of many people
    return !stop?.aborted && (await runPrepared("give_mail", GIVE, [mail.id, worker])).length > 0;
  };
  const sent = await attempt(mail, via, mayGive, stop).finally(answer);
  if (sent.error === null) mayCrash("mail.accepted");
  else if (stop?.aborted) return;
  const { id, accountId, template } = mail;
  const attempts = mail.attempts + 1;
  if (sent.error === null) {
    await runPrepared("record_mail_sent", SENT, [id, via.name, via.keeps]);
    log.debug({ mailId: id, accountId, template, via: via.name }, "mail sent");
    return;
  }
  const wait = isFinal(sent.error) ? null : waitAfter(attempts, random);
  const transition = wait === null ? "exhaust" : "fail";
  await runPrepared(`record_mail_${transition}`, NOT_SENT[transition], [id, worker, sent.error, sent.answer, wait]);
  const { to: status } = mailTransitions[transition];
  log.warn({ mailId: id, accountId, template, error: sent.error, attempts, status }, "a mail was not accepted");
}

/**
 * How long a mail that was given and is not answered keeps back the next of its account, and four of them the next of all:
 * only such a mail may come twice, so there are as few as may be. The second is short, so that accounts whose mails hang
 * delay others little.
 */
const ALONE_MS = { ofAccount: 10_000, ofAll: 2_000 };
const never = () => new Error("Nobody is refused");
const ofAccount = concurrencyLimits({ width: () => 1, waiting: Number.POSITIVE_INFINITY }, never);
const ofAll = concurrencyLimit(4, Number.POSITIVE_INFINITY, never);

/** Waits for its turn to be given, and keeps it until the mail is `answered`, or for some time. */
const turnOf = (account: string, answered: Promise<void>) =>
  new Promise<void>((begin) => {
    const hold = (ms: number) => Promise.race([answered, sleep(ms, undefined, { ref: false })]);
    ofAccount(account, async () => {
      await new Promise<void>((next) => {
        ofAll(async () => {
          begin();
          next();
          await hold(ALONE_MS.ofAll);
        });
      });
      await hold(ALONE_MS.ofAccount);
    });
  });

async function attempt(mail: Claimed, via: Mailer, mayGive: () => Promise<boolean>, stop?: AbortSignal): Promise<Sent> {
  let message: Message;
  try {
    message = { id: mail.id, to: mail.recipient, from: env.MAIL_FROM, ...renderStored(mail) };
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: "Error" };
    log.error({ mailId: mail.id, template: mail.template, name }, "a mail could not be rendered");
    return { error: "not_rendered", answer: null };
  }
  return via.send(message, stop, mayGive);
}

/** Another process may have the mail by now, where this one was held up. */
const GIVE = `with ${SCOPE_OF_ALL}
  update mails set error = 'unanswered', answer = null
  where ${IN_SCOPE} and id = $1::uuid and claimed_by = $2::uuid and claimed_until > now()
    and status in ${inSql(openMails)}
  returning id`;

/** It was accepted, whoever has the claim by now. */
const SENT = `with ${SCOPE_OF_ALL}
  update mails set ${leadsToSql(mailTransitions.send)}, sent_at = now(), sent_by = $2, attempts = attempts + 1, next_attempt_at = null,
    claimed_by = null, claimed_until = null, error = null, answer = null,
    sealed_content = case when $3::boolean then sealed_content end
  where ${IN_SCOPE} and id = $1::uuid and ${startsFromSql(mailTransitions.send)}`;

/** A failure counts only while the claim lasts: somebody else may be sending the mail by now. */
const notSent = (transition: "fail" | "exhaust") => `with ${SCOPE_OF_ALL}
  update mails set ${leadsToSql(mailTransitions[transition])}, error = $3, answer = $4, attempts = attempts + 1,
    next_attempt_at = now() + $5::float8 * interval '1 millisecond', claimed_by = null, claimed_until = null
  where ${IN_SCOPE} and id = $1::uuid and claimed_by = $2::uuid and ${startsFromSql(mailTransitions[transition])}`;
const NOT_SENT = { fail: notSent("fail"), exhaust: notSent("exhaust") };
