import { readAddressee, readStaff } from "@/lib/accounts/addressee";
import { queryOf, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import type { MailContent } from "@/lib/mail/templates";
import { writeMails } from "@/lib/mail/write";
import { localTime } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

type Waiting = { accountId: string; seller: string; about: "account" | "profile" };

/** Writes to each person of the operator's staff that a seller waits for a review: once a local day for each of the two. */
export async function mailWaiting(tx: Tx, { accountId, seller, about }: Waiting): Promise<void> {
  const query = queryOf(tx);
  const day = localTime(realNow()).slice(0, 10);
  const mails = (await readStaff(query)).map(({ id: personId, to }) => ({
    ...{ intent: `review_waiting:${about}:${accountId}:${day}:${personId}`, to, mode: null, accountId: null },
    content: {
      template: "review_waiting",
      seller,
      about,
      url: `${env.APP_URL}/operator/accounts/${accountId}`,
    } as const,
  }));
  await writeMails(query, mails);
}

/** Writes to the seller what was decided; `of` is what it was decided about, of which there is one mail. */
export async function mailDecision(tx: Tx, accountId: string, of: string, content: MailContent): Promise<void> {
  const mail = { ...(await readAddressee(tx, accountId)), intent: `${content.template}:${of}`, content };
  await writeMails(queryOf(tx), [mail]);
}
