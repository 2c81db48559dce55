import { LINK } from "@/lib/audit-log/link-events";
import { transactionOverAll } from "@/lib/db";
import { locked } from "@/lib/due/find";

/** How many events are linked in one transaction. */
const SET = 500;

type Place = { accountId: string; eventId: string };

/**
 * Links a set of the events that happened before there were chains, in the order of their accounts and ids; one that is
 * linked already stays as it is. The upgrade writes the place from which this goes on, and the last set deletes it. Returns
 * whether more may be left.
 */
export const linkPast = (): Promise<boolean> =>
  transactionOverAll(async (query) => {
    const [place] = await query<Place>("audit_past", PLACE, []);
    if (!place) return false;
    const events = await query<Place>("", NEXT, [place.accountId, place.eventId, SET]);
    const last = events.at(-1);
    if (!last) {
      await query("", END, []);
      return false;
    }
    const accounts = events.map(({ accountId }) => accountId);
    await query("", ALONE, [accounts]);
    await query("", LINK, [accounts, events.map(({ eventId }) => eventId)]);
    await query("", GO_ON, [last.accountId, last.eventId]);
    return true;
  });

const PLACE = locked(`select account_id as "accountId", event_id as "eventId" from audit_walks where name = 'link'`);

const NEXT = `select account_id as "accountId", id as "eventId" from events
  where (account_id, id) > ($1::uuid, $2::uuid) order by account_id, id limit $3::int`;

/** SQL: waits for whoever links events of these accounts. */
const ALONE = `select count(pg_advisory_xact_lock(hashtextextended('audit:' || account, 0)))::int as held
  from (select distinct account from unnest($1::uuid[]) account order by account) named`;

const GO_ON = "update audit_walks set account_id = $1::uuid, event_id = $2::uuid where name = 'link'";
const END = "delete from audit_walks where name = 'link'";
