-- CreateEnum
CREATE TYPE "RollupBasis" AS ENUM ('created', 'paid');

-- CreateTable
CREATE TABLE "rollups" (
    "account_id" UUID NOT NULL,
    "basis" "RollupBasis" NOT NULL,
    "day" DATE NOT NULL,
    "method" "TransactionMethod" NOT NULL,
    "status" "TransactionStatus" NOT NULL,
    "number" BIGINT NOT NULL,
    "gross" BIGINT NOT NULL,
    "net" BIGINT NOT NULL,

    CONSTRAINT "rollups_pkey" PRIMARY KEY ("account_id","day","basis","method","status")
);

alter table "rollups" enable row level security;
alter table "rollups" force row level security;
create policy tenant on "rollups" using (in_scope(account_id)) with check (in_scope(account_id));

-- What a change of a sale's status adds to the counts. It is a function, so that whoever counts counts alike: one more
-- under the new status and one less under the previous one, by the day on which the sale was created and, for the
-- statuses of a paid sale, by the day on which it was paid; and the same again under the sum of all days, which is kept
-- as the day -infinity. A new sale has no previous status.
create function count_changes(status "TransactionStatus", previous "TransactionStatus", amount bigint, net bigint,
    created_at timestamptz, paid_at timestamptz)
  returns table (basis "RollupBasis", day date, counted "TransactionStatus", number int, gross bigint, net_sum bigint)
  language sql immutable parallel safe as $$
  select b.basis, d.day, s.counted, s.number, s.number * $3, s.number * $4
  from (values ('created'::"RollupBasis", $5), ('paid', $6)) b (basis, at)
  cross join lateral (values ((b.at at time zone 'America/Sao_Paulo')::date), ('-infinity')) d (day)
  cross join (values ($1, 1), ($2, -1)) s (counted, number)
  where $1 is distinct from $2 and s.counted is not null and b.at is not null
    and (b.basis = 'created' or s.counted in ('completed', 'disputed', 'refunded', 'chargedback'))
$$;

-- Every sale is counted, except the changes whose events wait in the outbox: whoever takes them counts them. The owner
-- too sees rows only when it names accounts.
select set_config('app.accounts', '*', true);
insert into "rollups" (account_id, basis, day, method, status, number, gross, net)
select s.account_id, c.basis, c.day, s.method, c.counted, sum(c.number * s.times), sum(c.gross * s.times),
  sum(c.net_sum * s.times)
from (
  select account_id, method, status, null::"TransactionStatus" as previous, amount, net, created_at, paid_at, 1 as times
  from "transactions"
  union all
  select e.account_id, (e.record ->> 'method')::"TransactionMethod", (e.data ->> 'status')::"TransactionStatus",
    (e.data ->> 'previous_status')::"TransactionStatus", (e.record ->> 'amount')::bigint, (e.record ->> 'net')::bigint,
    (e.record ->> 'created_at')::timestamptz, (e.record ->> 'paid_at')::timestamptz, -1
  from "outbox" o join "events" e on e.account_id = o.account_id and e.id = o.event_id
  where e.subject = 'transaction'
) s
cross join lateral count_changes(s.status, s.previous, s.amount, s.net, s.created_at, s.paid_at) c
group by 1, 2, 3, 4, 5
having sum(c.number * s.times) <> 0 or sum(c.gross * s.times) <> 0 or sum(c.net_sum * s.times) <> 0;

-- Lists by status, by method or by both: each status of each method in the order of its ids. They are partial, because
-- under row-level security no comparison of an enum is a condition on an index: the functions of enums may tell of rows
-- that are not the account's. A sale is in one of them at a time.
-- DropIndex
DROP INDEX "transactions_account_id_status_id_idx";
do $$
declare m "TransactionMethod"; s "TransactionStatus";
begin
  foreach m in array enum_range(null::"TransactionMethod") loop
    foreach s in array enum_range(null::"TransactionStatus") loop
      execute format('create index %I on "transactions" ("account_id", "id") where "method" = %L and "status" = %L',
        'transactions_' || m || '_' || s, m, s);
    end loop;
  end loop;
end $$;

-- A search is in the order of the ids too.
drop index "transactions_external_id";
create index "transactions_external_id" on "transactions" ("account_id", "external_id", "id") where "external_id" is not null;

-- Home read the days of payments from it; they are counted now.
drop index "transactions_paid_at";
