import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { env } from "@/lib/env";
import { newSecret, sha256 } from "@/lib/ids";
import { asLocale } from "@/lib/locale/of-person";
import type { MailContent } from "@/lib/mail/templates";
import { type Mail, writeMails } from "@/lib/mail/write";
import { realNow } from "@/lib/time/clock";
import { DAY_MINUTES, linkKinds, linkPaths } from "@/lib/users/links";
import type { LinkKind } from "@/prisma/client/enums";

/** How many mails a batch writes. */
const CHUNK = 50;

const HOUR_MS = 3_600_000;

/** A link that was asked for, and the person with its e-mail, if there is one. */
type Due = {
  id: string;
  kind: LinkKind;
  email: string;
  locale: string;
  name: string | null;
  user_id: string | null;
  user_name: string | null;
  user_locale: string | null;
  is_confirmed: boolean;
  is_staff: boolean | null;
};

/** Who asks is answered before it is known whether the e-mail is somebody's: only here that is read. */
const COLUMNS = `, t.kind, t.email, t.locale, t.name, ${["id", "name", "locale"]
  .map((column) => `(select u.${column} from users u where u.email = t.email) as user_${column}`)
  .join(", ")}, (select u.email_confirmed_at is not null from users u where u.email = t.email) as is_confirmed,
  (select u.staff_roles <> '{}' from users u where u.email = t.email) as is_staff`;

/** A link that is due no mail keeps nothing of what was typed; its row still counts for the limits. */
const DONE = `update mail_links l set mail_due_at = null, link_hash = decode(d.hash, 'base64'),
    expires_at = now() + d.minutes * interval '1 minute',
    company = case when d.hash is not null then company end, document = case when d.hash is not null then document end,
    name = case when d.hash is not null then name end,
    password_hash = case when d.hash is not null then password_hash end
  from json_to_recordset($1::json) as d(id uuid, hash text, minutes int)
  where l.id = d.id`;

/** The kinds of which a newer link ends those before it. */
const LAST_COUNTS: readonly LinkKind[] = ["reset_password", "staff_invite"];

const END_OLDER = `update mail_links l set mail_due_at = null, link_hash = null, expires_at = null
  from json_to_recordset($1::json) as d(id uuid, email text, kind "LinkKind")
  where l.email = d.email and l.kind = d.kind and l.id < d.id`;

/** Writes the mails of a set of the links that were asked for. Returns whether more may be due. */
export const writeLinkMails = dueInSets<Due>({
  name: "users.link-mails",
  rows: { table: "mail_links", key: { id: "uuid" }, at: "t.mail_due_at" },
  columns: COLUMNS,
  limit: CHUNK,
  async act(query, due) {
    const written = due.map((link) => (isLast(link, due) ? letterFor(link) : nothing(link)));
    await query("links_done", DONE, [JSON.stringify(written.map(({ id, hash, minutes }) => ({ id, hash, minutes })))]);
    await endOlder(query, due);
    await writeMails(
      query,
      written.flatMap(({ mail }) => mail ?? []),
    );
  },
});

/** Whether no later link of the same kind that ends this one is written in the same batch. */
const isLast = ({ id, kind, email }: Due, due: readonly Due[]) =>
  !LAST_COUNTS.includes(kind) || !due.some((other) => other.kind === kind && other.email === email && other.id > id);

async function endOlder(query: Query, due: readonly Due[]) {
  const last = due.filter(({ kind }) => LAST_COUNTS.includes(kind)).map(({ id, email, kind }) => ({ id, email, kind }));
  if (last.length > 0) await query("links_end_older", END_OLDER, [JSON.stringify(last)]);
}

/** What becomes of a link: the hash of its secret and its minutes, if it has one, and the mail. */
type Written = { id: string; hash: string | null; minutes: number | null; mail: Mail | null };

const nothing = ({ id }: Due): Written => ({ id, hash: null, minutes: null, mail: null });

function letterFor(link: Due): Written {
  const { kind, user_id, user_name, is_confirmed } = link;
  if (kind === "sign_up" && user_id !== null) return { ...nothing(link), mail: alreadyKnown(link) };
  if (kind !== "sign_up" && user_id === null) return nothing(link);
  if (kind === "confirm_address" && is_confirmed) return nothing(link);
  const secret = newSecret();
  const url = `${env.APP_URL}${linkPaths[kind]}/${secret}`;
  const { minutes } = linkKinds[kind];
  const name = user_name ?? link.name ?? "";
  const contents: Record<LinkKind, MailContent> = {
    sign_up: { template: "confirm_address", name, url },
    confirm_address: { template: "confirm_address", name, url },
    reset_password: { template: "reset_password", url, minutes },
    staff_invite: { template: "staff_invited", name, url, days: minutes / DAY_MINUTES },
  };
  return {
    ...{ id: link.id, hash: sha256(secret).toString("base64"), minutes },
    mail: mailOf(link, `${kind}:${link.id}`, contents[kind]),
  };
}

/** At most one an hour, because its intent names the hour: whoever knows an address could otherwise fill its inbox. */
const alreadyKnown = (link: Due): Mail =>
  mailOf(link, `address_already_known:${link.user_id}:${Math.floor(realNow().getTime() / HOUR_MS)}`, {
    template: "address_already_known",
    name: link.user_name ?? "",
    signInUrl: `${env.APP_URL}${link.is_staff ? "/operator/sign-in" : "/sign-in"}`,
    resetUrl: `${env.APP_URL}/forgot`,
  });

const mailOf = ({ email, locale, user_locale }: Due, intent: string, content: MailContent): Mail => ({
  intent,
  to: { email, locale: asLocale(user_locale ?? locale) },
  ...{ mode: null, accountId: null, content },
});
