import { readForStaff } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { COUNTED, countedUpTo, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { log } from "@/lib/log";
import type { MailDetail, MailRecord, MailsQuery, ShownStatus } from "@/lib/mail/schema";
import { type MailError, mailErrors, mailTransitions } from "@/lib/mail/states";
import { renderStored } from "@/lib/mail/stored";
import { iso, isoOrNull } from "@/lib/time/clock";
import { emailSought } from "@/lib/typed/emails";
import type { Mail, Prisma } from "@/prisma/client/client";
import type { MailStatus } from "@/prisma/client/enums";

/** Where mails go at present. */
export const mailRoute = (): "smtp" | "inbox" => (env.MAIL_URL === undefined ? "inbox" : "smtp");

/** Which rows have a status. Whether a mail has a `sentBy` is asked for the index: only one that was sent has. */
const rowsOf: Record<ShownStatus, Prisma.MailWhereInput> = {
  pending: { status: "pending", sentBy: null },
  failed: { status: "failed", sentBy: null },
  exhausted: { status: "exhausted", sentBy: null },
  sent: { sentBy: "smtp" },
  kept: { sentBy: "inbox" },
};

/** Mails for the operator's staff, newest first, with the number of each status. */
export async function listMails(query: MailsQuery) {
  const { search, status, cursor } = query;
  const found: Prisma.MailWhereInput = search ? { recipient: { in: [search, emailSought(search)] } } : {};
  return readForStaff(async (tx) => {
    const countOf: Partial<Record<ShownStatus, number>> = {};
    for (const one of Object.keys(rowsOf) as ShownStatus[]) {
      countOf[one] = await tx.mail.count({ where: { ...found, ...rowsOf[one] }, take: COUNTED + 1 });
    }
    const all = Object.values(countOf).reduce((sum, count) => sum + count, 0);
    const after = { ...(status && rowsOf[status]), ...(cursor && { id: { lt: cursor } }) };
    const rows = await tx.mail.findMany({ where: { ...found, ...after }, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(status ? (countOf[status] ?? 0) : all), query);
    return {
      data: shown.map(presentMail),
      meta: { ...meta, counts: countedUpTo({ ...countOf, all }), route: mailRoute() },
    };
  });
}

/**
 * One mail. What it says is shown only where the inbox is the one place to read it: elsewhere it reached its reader, and
 * may hold a link that signs in, or by which a subscriber cancels. A sandbox's mails hold no link that signs in, and such a
 * one only of a subscription that is a test. Throws `mail_not_found`.
 */
export async function readMail(id: string, { userId }: { userId: string | undefined }): Promise<MailDetail> {
  const { mail, account } = await readForStaff(async (tx) => {
    const mail = await tx.mail.findUnique({ where: { id } });
    const account = mail?.accountId ? await tx.account.findUnique({ where: { id: mail.accountId } }) : null;
    return { mail, account };
  });
  if (!mail) throw new AppError("mail_not_found");
  const isOnlyHere = mail.mode === "sandbox" && mail.sentBy === "inbox";
  const content = isOnlyHere || mailRoute() === "inbox" ? contentOf(mail) : null;
  if (content) log.info({ mailId: id, userId }, "a mail's content was read by staff");
  const owner = account && { id: account.twinId ?? account.id, name: account.name };
  return { ...presentMail(mail), account: owner, content };
}

function contentOf(mail: Mail) {
  try {
    return renderStored(mail);
  } catch {
    return null; // its error says so, or it was sent by SMTP before
  }
}

const mayRetry = new Set<MailStatus>(mailTransitions.retry.from);

const presentMail = (mail: Mail): MailRecord => ({
  id: mail.id,
  template: mail.template,
  recipient: mail.recipient,
  locale: mail.locale,
  mode: mail.mode,
  status: mail.sentBy === "inbox" ? "kept" : mail.status,
  attempts: mail.attempts,
  error: errorOf(mail.error),
  answer: mail.answer,
  sent_by: mail.sentBy === "smtp" || mail.sentBy === "inbox" ? mail.sentBy : null,
  created_at: iso(mail.createdAt),
  next_attempt_at: isoOrNull(mail.nextAttemptAt),
  sent_at: isoOrNull(mail.sentAt),
  may_retry: mayRetry.has(mail.status) && mail.sealedContent !== null,
});

const errorOf = (name: string | null): MailError | null => mailErrors.find((known) => known === name) ?? null;
