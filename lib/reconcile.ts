import { asSystem } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";
import { unknownCharges, unknownMovements } from "@/lib/ledger/movements";

export type Fault = { fault: string; accountId?: string; id?: string; detail: string };

/** How far back the rails' books are compared; older movements were compared by earlier runs. */
const RAIL_MS = 3 * 86_400_000;
/** A payment this young may still be on its way to us. */
const IN_FLIGHT_MS = 60_000;
/** Each check reads whole tables, once a day, in a view of the database of its own. */
const CHECK_TIMEOUT_MS = 15 * 60_000;

/**
 * Compares the ledger with itself, with the sales, and with the rails. Returns every fault found, none when all agrees:
 * ledger_not_zero, posting_not_zero, balance_differs, sale_without_posting, posting_without_sale,
 * posting_differs, share_differs, settlement_differs, posting_without_share, charge_unanswered, payment_of_two_sales,
 * movement_without_sale, charge_without_sale. Run daily, on demand, and after every test run.
 */
export async function reconcile({ inFlightMs = IN_FLIGHT_MS } = {}): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [fault, query] of Object.entries(checks)) {
    const rows = await asSystem((tx) => tx.$queryRawUnsafe<Row[]>(query, PLATFORM), { timeoutMs: CHECK_TIMEOUT_MS });
    faults.push(...rows.map((row) => present(fault, row)));
  }
  return [...faults, ...(await movementsWithoutSale(inFlightMs)), ...(await chargesWithoutSale(inFlightMs))];
}

type Row = { account_id: string | null; id: string | null; detail: string };

const present = (fault: string, { account_id, id, detail }: Row): Fault => ({
  fault,
  ...(account_id && { accountId: account_id }),
  ...(id && { id }),
  detail,
});

/** The posting that a sale's completion is: SQL over the sale `t`. */
const COMPLETED = "(case t.method when 'card' then 'card_completed' else 'deposit_completed' end)";

/** Each query returns one row a fault. `$1` is the platform's id, which every query names. */
const checks: Record<string, string> = {
  ledger_not_zero: `select $1::text as account_id, null::text as id, 'entries sum to ' || sum(amount) as detail
    from ledger_entries having coalesce(sum(amount), 0) <> 0`,

  posting_not_zero: `select p.account_id::text, p.id::text, p.type || ' has ' || count(e.id) || ' entries, sum ' ||
      coalesce(sum(e.amount), 0) as detail
    from ledger_postings p left join ledger_entries e on e.posting_id = p.id
    where $1::text is not null
    group by p.account_id, p.id, p.type having coalesce(sum(e.amount), 0) <> 0 or count(e.id) % 2 <> 0`,

  balance_differs: `select account_id::text, null::text as id, kind || ' is ' || sum(known) || ', entries say ' || sum(said)
      as detail
    from (
      select account_id, kind, amount as known, 0 as said from ledger_snapshots
      union all select account_id, kind, amount, 0 from ledger_tail
      union all select account_id, kind, 0, amount from ledger_entries
    ) sides where $1::text is not null group by account_id, kind having sum(known) <> sum(said)`,

  sale_without_posting: `select t.account_id::text, t.id::text, t.type || ' of ' || t.amount || ' cents' as detail
    from transactions t left join ledger_postings p on p.type = ${COMPLETED} and p.source_id = t.id
    where $1::text is not null and p.id is null
      and t.status in ('completed', 'disputed', 'refunded', 'chargedback')`,

  posting_without_sale: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p left join transactions t on t.id = p.source_id and t.account_id = p.account_id
    where $1::text is not null and p.type in ('deposit_completed', 'card_completed') and (t.id is null or t.status in ('pending', 'expired', 'refused', 'failed'))`,

  posting_differs: `select t.account_id::text, t.id::text, 'clearing ' ||
      coalesce(sum(e.amount) filter (where e.kind in ('clearing', 'card_clearing')), 0) || ', sale ' || t.amount || ', fees ' ||
      coalesce(sum(e.amount) filter (where e.kind = 'fees'), 0) || ', fee ' || t.fee as detail
    from transactions t
    join ledger_postings p on p.type = ${COMPLETED} and p.source_id = t.id
    left join ledger_entries e on e.posting_id = p.id and e.account_id = $1::uuid
    group by t.account_id, t.id, t.amount, t.fee
    having coalesce(sum(e.amount) filter (where e.kind in ('clearing', 'card_clearing')), 0) <> -t.amount
      or coalesce(sum(e.amount) filter (where e.kind = 'fees'), 0) <> t.fee`,

  share_differs: `select t.account_id::text, s.id::text, 'paid ' || coalesce(sum(e.amount), 0) || ', agreed ' ||
      s.amount as detail
    from transactions t join shares s on s.transaction_id = t.id
    left join ledger_postings p on p.type in ('split_paid', 'card_split_paid') and p.source_id = s.id
    left join ledger_entries e on e.posting_id = p.id and e.account_id = s.recipient_id
      and e.kind = case t.method when 'card' then 'pending' else 'available' end
    where $1::text is not null
      and t.status in ('completed', 'disputed', 'refunded', 'chargedback')
    group by t.account_id, s.id, s.amount having coalesce(sum(e.amount), 0) <> s.amount`,

  settlement_differs: `select l.account_id::text, l.id::text, 'settled ' || coalesce(sum(e.amount), 0) || ' for ' ||
      l.owner || ', due ' || l.due as detail
    from (
      select t.account_id, t.id, t.id as source, t.account_id as owner, case when t.settled_at is null then 0
        else t.net - coalesce((select sum(s.amount) from shares s where s.transaction_id = t.id), 0) end as due
      from transactions t where t.method = 'card'
      union all
      select t.account_id, t.id, s.id, s.recipient_id, case when t.settled_at is null then 0 else s.amount end
      from transactions t join shares s on s.transaction_id = t.id where t.method = 'card'
    ) l
    left join ledger_postings p on p.type = 'card_settled' and p.source_id = l.source
    left join ledger_entries e on e.posting_id = p.id and e.kind = 'available' and e.account_id = l.owner
    where $1::text is not null
    group by l.account_id, l.id, l.source, l.owner, l.due having coalesce(sum(e.amount), 0) <> l.due`,

  posting_without_share: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p
    left join (
      select id from shares union all select id from transactions where method = 'card'
    ) known on known.id = p.source_id
    where $1::text is not null and p.type in ('split_paid', 'card_split_paid', 'card_settled') and known.id is null`,

  charge_unanswered: `select c.account_id::text, c.transaction_id::text as id, 'asked ' || c.created_at as detail
    from card_charges c
    where $1::text is not null and c.answered_at is null and c.created_at < now() - interval '1 hour'`,

  // Marked so by the migration every_release_alike: before it nothing kept one payment from completing two sales.
  payment_of_two_sales: `select account_id::text, id::text, end_to_end_id || ', ' || amount || ' cents' as detail
    from transactions where $1::text is not null and end_to_end_id like '%#%'`,
};

async function movementsWithoutSale(inFlightMs: number): Promise<Fault[]> {
  const now = Date.now();
  const faults: Fault[] = [];
  for await (const unknown of unknownMovements(new Date(now - RAIL_MS), new Date(now - inFlightMs))) {
    for (const { receipt } of unknown) {
      faults.push({ fault: "movement_without_sale", id: receipt.endToEndId, detail: `${receipt.amount} cents` });
    }
  }
  return faults;
}

async function chargesWithoutSale(inFlightMs: number): Promise<Fault[]> {
  const now = Date.now();
  const faults: Fault[] = [];
  for await (const unknown of unknownCharges(new Date(now - RAIL_MS), new Date(now - inFlightMs))) {
    for (const { id, amount } of unknown) faults.push({ fault: "charge_without_sale", id, detail: `${amount} cents` });
  }
  return faults;
}
