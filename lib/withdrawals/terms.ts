import type { AccountContext } from "@/lib/accounts/context";
import { readBalancesIn } from "@/lib/accounts/read";
import { type Query, queryOf, readFor } from "@/lib/db";
import { reais } from "@/lib/money";
import { payoutRailFor } from "@/lib/rails/pix/rails";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow, isoOrNull } from "@/lib/time/clock";
import { nightSince, readConditions, readUsed } from "@/lib/withdrawals/limits";
import { isPersonNew } from "@/lib/withdrawals/newness";
import { ownerNameOf } from "@/lib/withdrawals/record";
import type { WithdrawalTerms } from "@/lib/withdrawals/schema";
import { findStop } from "@/lib/withdrawals/stops";
import type { PixKeyType } from "@/prisma/client/enums";

type Person = { userId: string; liveId: string };

/** What a person may take out of an account now, what it costs, what keeps it down, and who was paid before. */
export const readWithdrawalTerms = (account: AccountContext, person: Person): Promise<WithdrawalTerms> =>
  readFor(account.id, async (tx) => {
    const query = queryOf(tx);
    const now = businessNow(account);
    const { available } = await readBalancesIn(tx, account.id);
    const { fee, limits } = await readConditions(tx, account.id);
    const used = await readUsed(query, account, now);
    const rail = payoutRailFor(account);
    const stop = await findStop(query, { accountId: account.id, provider: rail?.provider ?? "" });
    return {
      ...{ available: reais(available), fee: reais(fee), limit: reais(limits.each) },
      ...{ day_limit: reais(limits.day), day_left: left(limits.day, used.day) },
      ...{ night_limit: reais(limits.night), night_left: left(limits.night, used.night) },
      is_night: nightSince(now, account.timeZone) !== undefined,
      ...{ new_key_limit: reais(limits.new_key), new_key_left: left(limits.new_key, used.lowered) },
      approval_above: limits.approval_above === null ? null : reais(limits.approval_above),
      is_new: await isPersonNew(query, person),
      stopped_since: isoOrNull(stop?.createdAt ?? null),
      shows_owner: rail?.payouts ? rail.payouts.lookUpKey !== undefined : null,
      payees: await listPayees(query, account.id, now),
    };
  });

const left = (limit: number, used: number) => reais(Math.max(limit - used, 0));

/** How many who were paid before are offered, the latest. */
const PAYEES = 5;

type Payee = { type: PixKeyType; key: string; document: string; name: string; known: boolean };

/** The keys of the latest withdrawals that were paid; `known` are those to which money arrived a day ago or before. */
async function listPayees(query: Query, accountId: string, now: Date): Promise<WithdrawalTerms["payees"]> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  const payees = await query<Payee>("withdrawal_payees", LATEST, [accountId, yesterday, PAYEES]);
  return payees.map(({ type, key, document, name, known }) => ({
    ...{
      pix_key_type: type,
      pix_key: key,
      document,
      owner_name: ownerNameOf({ ownerName: name, pixKey: key }),
      is_known: known,
    },
  }));
}

/** Of each key the newest of the last hundred that were paid. */
const LATEST = `select l.pix_key_type::text as type, l.pix_key as key, l.document, l.owner_name as name, exists (
      select from withdrawals w where w.account_id = $1::uuid and w.pix_key = l.pix_key and w.paid_at <= $2::timestamptz
    ) as known
  from (
    select distinct on (pix_key) pix_key, pix_key_type, document, owner_name, id from (
      select * from withdrawals where account_id = $1::uuid and status = 'paid' order by id desc limit 100
    ) paid order by pix_key, id desc
  ) l order by l.id desc limit $3::int`;
