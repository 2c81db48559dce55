import type { Tx } from "@/lib/db";
import { asLocale } from "@/lib/locale/of-person";
import { writeMail } from "@/lib/mail/write";
import type { User } from "@/prisma/client/client";

/** Writes to a person that their password was changed. `changeId` is what changed it, which is written once. */
export const passwordChanged = (tx: Tx, { name, email, locale }: User, changeId: string, at: Date) =>
  writeMail(tx, {
    intent: `password_changed:${changeId}`,
    to: { email, locale: asLocale(locale) },
    ...{ mode: null, accountId: null },
    content: { template: "password_changed", name, at: at.toISOString() },
  });
