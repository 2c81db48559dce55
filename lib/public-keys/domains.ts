import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { metaOf, type PageQuery, skipOf } from "@/lib/lists/pagination";
import type { Domain, DomainTest } from "@/lib/public-keys/schema";
import { iso } from "@/lib/time/clock";
import { isOrigin, originMeant } from "@/lib/typed/origins";
import type { CardDomain } from "@/prisma/client/client";

type Account = Pick<AccountContext, "id">;

export const presentDomain = ({ id, origin, createdAt }: CardDomain): Domain => ({
  id,
  origin,
  created_at: iso(createdAt),
});

/** All domains of an account, newest first. */
export const findDomains = (tx: Tx, accountId: string) =>
  tx.cardDomain.findMany({ where: { accountId }, orderBy: { id: "desc" } });

export const listDomains = (accountId: string, query: PageQuery) =>
  readFor(accountId, async (tx) => {
    const domains = await findDomains(tx, accountId);
    const shown = domains.slice(skipOf(query), skipOf(query) + query.per_page);
    return { data: shown.map(presentDomain), meta: metaOf(domains.length, query) };
  });

/**
 * Lets the pages of an origin tokenize with the account's public key. A domain that is listed already is answered as it is.
 * Throws `domain_limit_reached` when the account has as many as `limits` allows.
 */
export const addDomain = ({ id: accountId }: Account, { origin }: { origin: string }, { idem }: Intent) =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await lockAccount(tx, accountId);
      const domains = await findDomains(tx, accountId);
      const listed = domains.find((domain) => domain.origin === origin);
      if (listed) {
        noteRecorded();
        return { data: presentDomain(listed) };
      }
      if (domains.length >= limits.domains) throw new AppError("domain_limit_reached");
      const domain = presentDomain(await tx.cardDomain.create({ data: { accountId, id: newId(), origin } }));
      await recordChange(tx, { accountId, subject: "card_domain", id: domain.id, verb: "created", after: domain });
      return { data: domain };
    }),
  );

/** Removes a domain; from this commit on its pages are refused. Throws `domain_not_found`. */
export const removeDomain = ({ id: accountId }: Account, { id }: { id: string }) =>
  forAccount(accountId, async (tx) => {
    const domain = await tx.cardDomain.findUnique({ where: { accountId_id: { accountId, id } } });
    if (!domain) throw new AppError("domain_not_found");
    await tx.cardDomain.deleteMany({ where: { accountId, id } });
    await recordChange(tx, { accountId, subject: "card_domain", id, verb: "removed", before: presentDomain(domain) });
    return { message: "Domínio removido." };
  });

/** Whether a browser's page of this origin would be let in today, and if not, what is missing. */
export async function testDomain(account: AccountContext, { origin }: { origin: string }): Promise<DomainTest> {
  const reason = await reasonFor(account, origin);
  const meant = reason === "malformed" ? (originMeant(origin) ?? null) : null;
  return { data: { accepted: reason === "accepted", reason, meant } };
}

async function reasonFor(account: AccountContext, origin: string): Promise<DomainTest["data"]["reason"]> {
  if (!isOrigin(origin)) return "malformed";
  if (account.status !== "approved") return "account_inactive";
  if (!account.features.includes("cards")) return "cards_disabled";
  const domains = await readFor(account.id, (tx) => findDomains(tx, account.id));
  if (domains.length === 0) return "no_domain";
  return domains.some((domain) => domain.origin === origin) ? "accepted" : "not_listed";
}
