const SALES = `select id, account_id, method::text, status::text, amount, txid, end_to_end_id,
    array(select s.id from shares s where s.transaction_id = transactions.id) as share_ids,
    coalesce(external_id, description) as ref
  from transactions`;
const EVENTS = `select e.id, e.account_id, e.subject_id, e.type, e.data ->> 'status' as status, t.method::text as method
  from events e join transactions t on t.account_id = e.account_id and t.id = e.subject_id`;
const POSTINGS = `select source_id as id, count(*)::int as count from ledger_postings
  where type in ('deposit_completed', 'split_paid', 'card_completed', 'card_split_paid') group by source_id`;
const DELIVERIES = `select event_id || ' ' || contract as id, status::text, next_attempt_at::text as next from deliveries`;
const DISPATCHES = `select j.payload ->> 'eventId' as id from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'webhooks.dispatch'
  union select payload ->> 'eventId' from outbox where name = 'webhooks.dispatch'`;

/** All that the database and the simulators' stores in it hold, as maps. The owner sees every account. */
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

/** Each finds what nobody works on though it is due; none of it may be there after a quiet minute. */
export const stuckQueries = {
  "a job locked for long": `select j.id::text, t.identifier || ' since ' || j.locked_at as detail
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at < now() - interval '15 s'`,
  "a job that is due": `select j.id::text, t.identifier || ' due ' || j.run_at || ', attempts ' || j.attempts as detail
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.locked_at is null and j.attempts < j.max_attempts and j.run_at < now() - interval '10 s'`,
  "a job without attempts left": `select j.id::text, t.identifier || ': ' || left(j.last_error, 200) as detail
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.attempts >= j.max_attempts and j.locked_at is null
      and not (j.key is null and t.identifier in ('webhooks.deliver', 'webhooks.wake'))`,
  "a queue locked for long": `select id::text, queue_name || ' since ' || locked_at as detail
    from graphile_worker._private_job_queues where locked_at < now() - interval '15 s'`,
  "an outbox row": "select id::text, name || ' ' || payload as detail from outbox",
  "a delivery that is due": `select id::text, status || ', attempts ' || attempts || ', due ' || next_attempt_at as detail
    from deliveries where status in ('pending', 'failed') and next_attempt_at < now() - interval '10 s'`,
  "a delivery that waits for nothing": `select d.id::text, d.status::text as detail
    from deliveries d join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
    where d.status in ('pending', 'failed') and d.next_attempt_at is null and w.disabled_at is null`,
  "a webhook that was disabled": "select id::text, url as detail from webhooks where disabled_at is not null",
  "a charge not asked about": `select transaction_id::text as id, 'to be asked ' || ask_at as detail
    from card_charges where answered_at is null
      and (ask_at < now() - interval '15 s' or created_at < now() - interval '25 minutes')`,
  "a notice of the PSP": `select end_to_end_id as id, 'due ' || notify_at || ', attempts ' || attempts as detail
    from simulator_pix where notify_at < now() - interval '20 s'`,
  "a paid sale that is pending": `select t.id::text, t.method || ' of ' || t.created_at as detail from transactions t
    where t.status = 'pending' and (exists (select from simulator_charges c where c.id = t.id)
      or exists (select from simulator_pix p where p.txid = t.txid))`,
};
