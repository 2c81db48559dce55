import type { Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { isInNetworks, networks } from "@/lib/net/address";
import { emailSought } from "@/lib/typed/emails";
import { fingerprint } from "@/lib/vault/vault";
import type { Mode } from "@/prisma/client/enums";

/** What our rules read of a charge; `recent…` count the account's charges of the last 10 min. */
export type Facts = {
  mode: Mode;
  amount: number;
  ip: string;
  email: string;
  fingerprint: Buffer;
  recentOfCard: number;
  recentOfIp: number;
  recentOfDocument: number;
};

const WINDOW_MINUTES = 10;
/** The largest charge, in cents: R$ 20,000.00. */
const CEILING = 2_000_000;
/** A sandbox's velocity rules fire only on their own test number, so that a partner's tests never trip them. */
const TEST_NUMBER = "4100000000000019";

type Rule = { name: string; breaks: (facts: Facts) => boolean };

/** Our own reasons to refuse a charge; the first that applies counts. Only the operator may read the name. */
export const rules: readonly Rule[] = [
  { name: "denied_ip", breaks: ({ ip }) => isInNetworks(ip, networks(env.CARD_DENIED_IPS)) },
  { name: "denied_email", breaks: ({ email }) => denied(env.CARD_DENIED_EMAILS).has(email) },
  { name: "amount_ceiling", breaks: ({ amount }) => amount > CEILING },
  { name: "card_velocity", breaks: (facts) => (isSandbox(facts) ? isTestNumber(facts) : facts.recentOfCard >= 5) },
  { name: "document_velocity", breaks: (facts) => !isSandbox(facts) && facts.recentOfDocument >= 5 },
  { name: "ip_velocity", breaks: (facts) => !isSandbox(facts) && facts.recentOfIp >= 20 },
];

const isSandbox = ({ mode }: Facts) => mode === "sandbox";
const isTestNumber = (facts: Facts) => fingerprint(TEST_NUMBER).equals(facts.fingerprint);
const denied = (list: string) => new Set(list.split(",").map(emailSought));

/** The name of the first rule that a charge breaks, or null. */
export const brokenRule = (facts: Facts) => rules.find(({ breaks }) => breaks(facts))?.name ?? null;

type Charge = { accountId: string; fingerprint: Buffer; ip: string; document: string };

/**
 * How often this account charged this card, address (`limitKey`) and document in the last minutes. Charges that share
 * one of them wait here for each other, so that each counts those before it.
 */
export async function countRecent(tx: Tx, { accountId, fingerprint: card, ip, document }: Charge) {
  const names = [card.toString("hex"), ip, document].map((name) => `card-rules:${accountId}:${name}`).sort();
  await tx.$queryRaw`
    select count(pg_advisory_xact_lock(hashtextextended(name, 0)))::int as held
    from (select name from unnest(${names}::text[]) with ordinality as n(name, nth) order by nth offset 0) n`;
  const [counts] = await tx.$queryRaw<Pick<Facts, "recentOfCard" | "recentOfIp" | "recentOfDocument">[]>`
    select count(*) filter (where fingerprint = ${card})::int as "recentOfCard",
      count(*) filter (where ip = ${ip})::int as "recentOfIp",
      count(*) filter (where document = ${document})::int as "recentOfDocument"
    from card_charges
    where account_id = ${accountId}::uuid and created_at > now() - ${WINDOW_MINUTES} * interval '1 minute'
      and (fingerprint = ${card} or ip = ${ip} or document = ${document})`;
  return counts ?? { recentOfCard: 0, recentOfIp: 0, recentOfDocument: 0 };
}
