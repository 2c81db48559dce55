import type { Query } from "@/lib/db";
import { codeOf, type DisputeRecord } from "@/lib/disputes/record";
import { env } from "@/lib/env";
import type { MailContent } from "@/lib/mail/templates";
import { type Mail, writeMails } from "@/lib/mail/write";
import { mailTo, readNotified } from "@/lib/notifications/addressees";

type Told = { record: DisputeRecord; intent: string; content: MailContent; occurredAt: Date };

/** What all mails about a dispute say. */
export const aboutDispute = ({ dispute, sale }: DisputeRecord) => ({
  ...{ name: sale.client_name ?? null, what: sale.checkout?.name ?? sale.description ?? null },
  amount: Number(dispute.amount),
  url: `${env.APP_URL}/${dispute.accountId}/disputes/${codeOf(dispute)}`,
});

/** Writes these mails to whoever of each seller's team wants to know of disputes. */
export async function mailSellers(query: Query, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return;
  // In the order of the accounts: another transaction that writes of the same day waits for this one, and never in a ring.
  const accountIds = [...new Set(told.map(({ record }) => record.dispute.accountId))].sort();
  const mails: Mail[] = (await readNotified(query, "disputes", accountIds)).flatMap((addressee) =>
    told
      .filter(({ record }) => record.dispute.accountId === addressee.accountId)
      .map(({ intent, content, occurredAt }) => mailTo(addressee, { intent, content, occurredAt })),
  );
  await writeMails(query, mails);
}
