import { type Query, queryOf, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { asLocale } from "@/lib/locale/of-person";
import type { MailContent } from "@/lib/mail/templates";
import { writeMails } from "@/lib/mail/write";
import { realNow } from "@/lib/time/clock";
import type { User } from "@/prisma/client/client";

type Person = Pick<User, "name" | "email" | "locale">;
type What = Extract<MailContent, { template: "security_changed" }>["what"];

/** Writes to a person what changed in how they sign in. */
export const mailSecurity = (tx: Tx | Query, { name, email, locale }: Person, what: What, from: string | null = null) =>
  writeMails(typeof tx === "function" ? tx : queryOf(tx), [
    {
      intent: `security_changed:${newId()}`,
      to: { email, locale: asLocale(locale) },
      ...{ mode: null, accountId: null },
      content: { template: "security_changed", name, what, from, at: realNow().toISOString() },
    },
  ]);
