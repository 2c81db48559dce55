import type { Consumer } from "@/lib/events/consume";
import { CHANGED, changesOf, KEY } from "@/lib/rollups/counting";

/** Counts sales by the events about them, once each. All callers lock the counts in the order of their keys. */
export const countEvents: Consumer = async (query, events) => {
  const sales = events.filter(({ subject }) => subject === "transaction");
  if (sales.length === 0) return;
  await query("rollups_count", COUNT, [sales.map(({ accountId }) => accountId), sales.map(({ id }) => id)]);
};

const COUNT = `insert into rollups as r (${KEY}, number, gross, net)
  select ${KEY}, sum(number), sum(gross), sum(net)
  from (${changesOf("(select * from unnest($1::uuid[], $2::uuid[]) as e (account_id, event_id))")}) c
  group by ${KEY} having ${CHANGED}
  order by ${KEY}
  on conflict (${KEY}) do update
    set number = r.number + excluded.number, gross = r.gross + excluded.gross, net = r.net + excluded.net`;
