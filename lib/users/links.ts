import { forAccount, type Tx } from "@/lib/db";
import { wakeOnCommit } from "@/lib/due/wake";
import { AppError } from "@/lib/errors";
import { newId, sha256 } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { realNow } from "@/lib/time/clock";
import type { Locale } from "@/messages";
import type { MailLink } from "@/prisma/client/client";
import type { LinkKind } from "@/prisma/client/enums";

export const DAY_MINUTES = 1_440;

/**
 * Every kind of link that is sent by mail: how long it opens, and how many of an e-mail may be asked for within
 * `perMinutes`, by all and by one network. Minutes. For a new password `perMinutes` is the link's own life, so that whoever
 * may not ask again always has a mail whose link still opens: nobody can use up another's attempts.
 */
export const linkKinds = {
  sign_up: { minutes: DAY_MINUTES, perMinutes: DAY_MINUTES, ofAll: 10, ofNetwork: 3 },
  confirm_address: { minutes: DAY_MINUTES, perMinutes: 60, ofAll: 5, ofNetwork: 5 },
  reset_password: { minutes: 30, perMinutes: 30, ofAll: 3, ofNetwork: 3 },
  staff_invite: { minutes: 2 * DAY_MINUTES, perMinutes: DAY_MINUTES, ofAll: 10, ofNetwork: 10 },
} as const satisfies Record<LinkKind, Record<"minutes" | "perMinutes" | "ofAll" | "ofNetwork", number>>;

/** The path of each kind's page, which the secret follows. */
export const linkPaths: Record<LinkKind, string> = {
  sign_up: "/confirm",
  confirm_address: "/confirm",
  reset_password: "/reset",
  staff_invite: "/reset",
};

/** What a sign-up typed; nothing is made of it before its link is followed. */
type SignUp = { company: string; document: string; name: string; passwordHash: string };
type Asked = { kind: LinkKind; email: string; ip: string; locale: Locale; signUp?: SignUp };

/**
 * Asks for a link by mail. It does not read whether there is a person with this e-mail: the same statements write the same
 * row in either case, and `lib/users/link-mails.ts` writes the mail afterwards. So neither the answer nor its time tells
 * anything. Above the limits nothing is written, and the caller does not learn it.
 */
export const askLink = (asked: Asked): Promise<void> => forAccount([], (tx) => writeLink(tx, asked));

/** Asks for a link in the transaction of what needs it. Above the limits nothing is written. */
export async function writeLink(tx: Tx, { kind, email, ip, locale, signUp }: Asked): Promise<void> {
  const { perMinutes, ofAll, ofNetwork } = linkKinds[kind];
  const network = limitKey(ip);
  await tx.$queryRaw`
      select count(pg_advisory_xact_lock(hashtextextended(${`mail-link:${kind}:${email}`}, 0)))::int as held`;
  await tx.$executeRaw`
      insert into mail_links (id, kind, email, asked_from, locale, company, document, name, password_hash, mail_due_at)
      select ${newId()}::uuid, ${kind}::"LinkKind", ${email}, ${network}, ${locale}, ${signUp?.company ?? null},
        ${signUp?.document ?? null}, ${signUp?.name ?? null}, ${signUp?.passwordHash ?? null}, now()
      from (
        select count(*) as by_all, count(*) filter (where asked_from = ${network}) as by_network
        from mail_links
        where email = ${email} and kind = ${kind}::"LinkKind"
          and created_at > now() - ${perMinutes} * interval '1 minute'
      ) earlier
      where by_all < ${ofAll} and by_network < ${ofNetwork}`;
  wakeOnCommit(tx, "links");
}

/**
 * The link with this secret. Throws `link_expired`, the same for one that was used, is over, was followed by a newer one
 * or never existed.
 */
export async function findLink(tx: Tx, secret: string, kinds: readonly LinkKind[]): Promise<MailLink> {
  const linkHash = hashOf(secret);
  const link = await tx.mailLink.findFirst({
    where: { linkHash, kind: { in: [...kinds] }, expiresAt: { gt: realNow() } },
  });
  if (!link) throw new AppError("link_expired");
  return link;
}

/** Counts an attempt at the password that a link asks for. Throws `rate_limit_exceeded`. */
export const countAttempt = ({ id }: MailLink) => spendSlot("link", id);

/**
 * Uses a link up, with the others of its kind and e-mail, which are locked in one order. Of two at once the second throws
 * `link_expired`, once the first has committed.
 */
export async function useUp(tx: Tx, { id, kind, email }: MailLink): Promise<void> {
  const used = await tx.$queryRaw<object[]>`
    with gone as (
      delete from mail_links where id in (
        select id from mail_links where email = ${email} and kind = ${kind}::"LinkKind" order by id for update
      )
      returning id, link_hash, expires_at
    )
    select id from gone where id = ${id}::uuid and link_hash is not null and expires_at > now()`;
  if (used.length === 0) throw new AppError("link_expired");
}

const hashOf = (secret: string) => new Uint8Array(sha256(secret));
