/**
 * SQL: what the events of `relation` (account_id, event_id) add to the counts. Each event is found by its key alone,
 * however many the plan expects. An event that leaves the status, as when a code is written, changes nothing.
 */
export const changesOf = (relation: string) => `
  select e.account_id, c.day, c.basis, (e.record ->> 'method')::"TransactionMethod" as method, c.counted as status,
    c.number, c.gross, c.net_sum as net
  from ${relation} waiting
  cross join lateral (
    select * from events where account_id = waiting.account_id and id = waiting.event_id offset 0
  ) e
  cross join lateral count_changes(
    (e.data ->> 'status')::"TransactionStatus", (e.data ->> 'previous_status')::"TransactionStatus",
    (e.record ->> 'amount')::bigint, (e.record ->> 'net')::bigint,
    (e.record ->> 'created_at')::timestamptz, (e.record ->> 'paid_at')::timestamptz
  ) c
  where e.subject = 'transaction'`;

/** SQL: how the sales of `relation`, which has the table's columns, are counted as they are now. */
export const countsOf = (relation: string) => `
  select s.account_id, c.day, c.basis, s.method, c.counted as status, c.number, c.gross, c.net_sum as net
  from ${relation} s
  cross join lateral count_changes(s.status, null, s.amount, s.net, s.created_at, s.paid_at) c`;

/** SQL: the key of a count. */
export const KEY = "account_id, day, basis, method, status";

/** SQL: whether a sum of changes changes anything; as many sales may come as go, of other amounts. */
export const CHANGED = "(sum(number) <> 0 or sum(gross) <> 0 or sum(net) <> 0)";
