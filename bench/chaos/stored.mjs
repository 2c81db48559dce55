const SALES = `select id, account_id, method::text, status::text, amount, txid, end_to_end_id,
    array(select s.id from shares s where s.transaction_id = transactions.id) as share_ids,
    coalesce(external_id, description) as ref
  from transactions`;
const EVENTS = `select e.id, e.account_id, e.subject_id, e.type, e.data ->> 'status' as status, t.method::text as method
  from events e join transactions t on t.account_id = e.account_id and t.id = e.subject_id`;
const POSTINGS = `select source_id as id, count(*)::int as count from ledger_postings
  where type in ('deposit_completed', 'split_paid', 'card_completed', 'card_split_paid') group by source_id`;
const DELIVERIES = `select event_id || ' ' || contract as id, status::text, next_attempt_at::text as next from deliveries`;
const DISPATCHES = `select event_id as id from outbox
  union all select event_id from outbox_of_consumers where consumer = 'deliveries'`;

/** All that the database and the simulators' stores in it hold, as maps. The owner reads every account. */
export async function readDatabase(owner) {
  const read = async (text) => (await owner.query(text)).rows;
  const sales = await read(SALES);
  const pix = await read("select end_to_end_id as id, txid from simulator_pix");
  const charges = await read("select id, status from simulator_charges");
  return {
    sales,
    saleById: new Map(sales.map((sale) => [sale.id, sale])),
    salesByRef: grouped(sales, ({ ref }) => ref),
    pixByTxid: grouped(pix, ({ txid }) => txid),
    chargeById: new Map(charges.map((charge) => [charge.id, charge])),
    postings: new Map((await read(POSTINGS)).map(({ id, count }) => [id, count])),
    events: await read(EVENTS),
    deliveries: new Map((await read(DELIVERIES)).map((delivery) => [delivery.id, delivery])),
    dispatches: new Set((await read(DISPATCHES)).map(({ id }) => id)),
    unmatched: await read("select end_to_end_id as id, reason from unmatched_receipts"),
  };
}

function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Each finds work that is due and that no program does. After a quiet minute there must be none. */
export const stuckQueries = {
  "a job of the timetable that is due": `select name as id, 'attempts ' || attempts || ', due ' || due_at as detail
    from timed_jobs where due_at < now() - interval '15 s'`,
  "an event in the outbox": "select event_id as id, 'of ' || account_id as detail from outbox",
  "an event that a consumer was left with": `select event_id as id, 'for ' || consumer || ', of ' || account_id as detail
    from outbox_of_consumers`,
  "a watch that is due": `select kind || ' ' || id as id, 'attempts ' || attempts || ', due ' || ask_at as detail
    from watches where ask_at < now() - interval '15 s'`,
  "a delivery that is due": `select id::text, status || ', attempts ' || attempts || ', due ' || next_attempt_at as detail
    from deliveries where status in ('pending', 'failed') and next_attempt_at < now() - interval '10 s'`,
  "a delivery that waits for nothing": `select d.id::text, d.status::text as detail
    from deliveries d join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
    where d.status in ('pending', 'failed') and d.next_attempt_at is null and w.disabled_at is null`,
  "a webhook that was disabled": "select id::text, url as detail from webhooks where disabled_at is not null",
  "a call not made or asked about": `select id::text, kind || ' due ' || due_at as detail
    from calls where done_at is null
      and (due_at < now() - interval '15 s' or created_at < now() - interval '25 minutes')`,
  "a notice of the PSP": `select end_to_end_id as id, 'due ' || notify_at || ', attempts ' || attempts as detail
    from simulator_pix where notify_at < now() - interval '20 s'`,
  "a paid sale that is pending": `select t.id::text, t.method || ' of ' || t.created_at as detail from transactions t
    where t.status = 'pending' and (exists (select from simulator_charges c where c.id = t.id)
      or exists (select from simulator_pix p where p.txid = t.txid))`,
};
