import type { Tx } from "@/lib/db";
import { waitingFor } from "@/lib/events/outbox";
import { changesOf, KEY } from "@/lib/rollups/counting";
import type { RollupBasis, TransactionMethod, TransactionStatus } from "@/prisma/client/enums";

/**
 * Which sales are counted: by the day on which they were created or paid, of the methods, and of whole days as
 * YYYY-MM-DD, both included. Without days it is all of them.
 */
type Which = {
  accountId: string;
  basis: RollupBasis;
  methods: readonly TransactionMethod[];
  from?: string | undefined;
  to?: string | undefined;
};

/** Numbers and sums in cents. */
type Sums = { number: number; gross: bigint; net: bigint };

/** How many sales there are of each status that has any, in the account's scope. */
export const countByStatus = (tx: Tx, which: Which) =>
  read<{ status: TransactionStatus }>(tx, "status", which, which.from || which.to ? EACH_DAY : ALL_DAYS);

/** How many sales there are of each day that has any, written YYYY-MM-DD, oldest first, in the account's scope. */
export const countByDay = (tx: Tx, which: Which) =>
  read<{ day: string }>(tx, "to_char(day, 'YYYY-MM-DD') as day", which, EACH_DAY);

type Days = readonly [from: string, to: string];
/** The day under which the sum of all days is kept, and the days that are none. */
const ALL_DAYS: Days = ["-infinity", "-infinity"];
const EACH_DAY: Days = ["0001-01-01", "infinity"];

/**
 * How many of an account's events that nobody has counted yet are read with the counts. They are counted within
 * moments; behind a backlog of more than these, numbers are late and not wrong for long.
 */
const WAITING = 10_000;

const read = <Group>(tx: Tx, group: string, { accountId, basis, methods, from, to }: Which, [first, last]: Days) =>
  tx
    .$queryRawUnsafe<(Group & Record<keyof Sums, bigint>)[]>(
      `select ${group}, sum(number)::bigint as number, sum(gross)::bigint as gross, sum(net)::bigint as net
      from (
        select ${KEY}, number, gross, net from rollups where account_id = $1::uuid
        union all
        select ${KEY}, number, gross, net from (${changesOf(TAIL)}) changes
      ) counted
      where basis = $2::"RollupBasis" and method = any($3::"TransactionMethod"[])
        and day between $4::date and $5::date
      group by 1 having sum(number) <> 0 order by 1`,
      ...[accountId, basis, methods, from ?? first, to ?? last],
    )
    .then((rows) => rows.map((row) => ({ ...row, number: Number(row.number) })));

const TAIL = waitingFor("counts", "account_id = $1::uuid", WAITING);
