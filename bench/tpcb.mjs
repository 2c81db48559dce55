import { onStop } from "../bin/lifecycle.mjs";

const ACCOUNTS = 100_000;
const TELLERS = 10;
const MAX_DELTA = 5_000;

/** The tables of pgbench at scale 1, in a schema of their own. */
const TABLES = `
  create schema tpcb;
  create table tpcb.branches (bid int primary key, bbalance int not null, filler char(88));
  create table tpcb.tellers (tid int primary key, bid int not null, tbalance int not null, filler char(84));
  create table tpcb.accounts (aid int primary key, bid int not null, abalance int not null, filler char(84));
  create table tpcb.history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
  insert into tpcb.branches values (1, 0, '');
  insert into tpcb.tellers select tid, 1, 0, '' from generate_series(1, ${TELLERS}) tid;
  insert into tpcb.accounts select aid, 1, 0, '' from generate_series(1, ${ACCOUNTS}) aid`;

/** What pgbench does before each run. */
const CLEAN = ["vacuum tpcb.branches", "vacuum tpcb.tellers", "truncate tpcb.history"];

const UPDATE_ACCOUNT = "update tpcb.accounts set abalance = abalance + $1 where aid = $2";
const READ_ACCOUNT = "select abalance from tpcb.accounts where aid = $1";
const UPDATE_TELLER = "update tpcb.tellers set tbalance = tbalance + $1 where tid = $2";
const UPDATE_BRANCH = "update tpcb.branches set bbalance = bbalance + $1 where bid = 1";
const WRITE_HISTORY =
  "insert into tpcb.history (tid, bid, aid, delta, mtime) values ($1, 1, $2, $3, current_timestamp)";

/**
 * The transaction of pgbench's `tpcb-like` at scale 1 with `pg`, every statement prepared. Returns `run(senders, seconds)`,
 * which answers with transactions per second, and `runOneRow`. `connections` is the size of the pool.
 */
export async function openTpcb({ owner, ownerUrl }, connections) {
  const { default: pg } = await import("pg");
  await owner.query(TABLES);
  await owner.query("vacuum analyze tpcb.accounts");
  const pool = new pg.Pool({ connectionString: ownerUrl, max: connections });
  const close = onStop(() => pool.end());

  async function transact() {
    const [aid, tid, delta] = [upTo(ACCOUNTS), upTo(TELLERS), upTo(2 * MAX_DELTA + 1) - MAX_DELTA - 1];
    const client = await pool.connect();
    await client.query("begin");
    await client.query({ name: "account", text: UPDATE_ACCOUNT, values: [delta, aid] });
    await client.query({ name: "read", text: READ_ACCOUNT, values: [aid] });
    await client.query({ name: "teller", text: UPDATE_TELLER, values: [delta, tid] });
    await client.query({ name: "branch", text: UPDATE_BRANCH, values: [delta] });
    await client.query({ name: "history", text: WRITE_HISTORY, values: [tid, aid, delta] });
    await client.query("end");
    client.release();
  }

  const writeRow = () => pool.query({ name: "history", text: WRITE_HISTORY, values: [1, 1, 1] });

  const runs = (work) => async (senders, seconds) => {
    for (const text of CLEAN) await owner.query(text);
    const started = performance.now();
    let count = 0;
    const send = async () => {
      for (; performance.now() < started + seconds * 1000; count++) await work();
    };
    await Promise.all(Array.from({ length: senders }, send));
    return count / ((performance.now() - started) / 1000);
  };

  return {
    run: runs(transact),
    /** One row without an index in one statement: what a round trip and a commit cost, whatever is written. */
    runOneRow: runs(writeRow),
    async close() {
      await close();
      await owner.query("drop schema tpcb cascade");
    },
  };
}

/** A random whole number from 1. */
const upTo = (limit) => 1 + Math.floor(Math.random() * limit);
