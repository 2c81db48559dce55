import { inParallel } from "@/lib/concurrency/parallel";
import { claimsOf } from "@/lib/due/claims";
import { type DueRows, idOf } from "@/lib/due/find";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { httpClient } from "@/lib/outside/http-client";

const TIMEOUT_MS = 4_000;
const BATCH = 40;
const AT_ONCE = 8;
const MAX_ATTEMPTS = 20;

/** Seconds to the next attempt, by attempts made; the last one repeats. */
const WAITS = "array[10, 30, 60, 300, 900, 3600]";
/** How long a claim lasts without renewal: if this process dies, another one repeats the attempt then. */
const LEASE_MS = 5_000;

type Claimed = { attempts: number };

/** Where a company's notices go, and how it signs a body. */
type Receiver = { path: string; sign: (body: string) => Record<string, string> };

/** A queue of notices: its table and key, what is read of a row `t`, and what its notice says. */
type Notices<Row> = { table: string; id: string; columns: string; bodyOf(row: Row): object };

/**
 * Makes a company's queues of notices. A notice may arrive twice, as with a real one. A row that changes while its notice is sent
 * owes the next one, because the change makes it due anew.
 */
export const noticesTo =
  (receiver: Receiver) =>
  <Row extends object>({ table, id, columns, bodyOf }: Notices<Row>) => {
    const rows = {
      ...{ table, key: { [id]: "text" }, at: "notify_at" },
      only: `t.notify_at is not null and t.attempts < ${MAX_ATTEMPTS}`,
    } satisfies DueRows;
    const claims = claimsOf<Row & Claimed>({
      ...{ name: table, rows, leaseMs: LEASE_MS, limit: BATCH },
      columns: `, t.attempts, ${columns}`,
      sets: ", attempts = t.attempts + 1",
      // After the last attempt there is none.
      wait: `case when t.attempts < ${MAX_ATTEMPTS}
      then make_interval(secs => (${WAITS})[least(t.attempts, array_length(${WAITS}, 1))]) end`,
    });
    const end = claims.ending("notified", "notify_at = null");

    /** Sends a batch of what is due. Returns whether more may be due. */
    async function send(): Promise<boolean> {
      const claimed = await claims.claim();
      const accepted = new Set<string>();
      const { kept } = await claims.keep(claimed, () =>
        inParallel(claimed, AT_ONCE, async (row) => {
          const status = await notify(receiver, bodyOf(row));
          if (status >= 200 && status < 300) return void accepted.add(idOf(rows.key, row));
          const { attempts } = row;
          log.warn({ table, id: idOf(rows.key, row), status, attempts }, "the receiver did not accept a notice");
        }),
      );
      const isAccepted = (row: object) => accepted.has(idOf(rows.key, row));
      await end(kept.filter(isAccepted));
      await claims.wait(kept.filter((row) => !isAccepted(row)));
      return claimed.length === BATCH;
    }

    return { rows, send };
  };

/** Here the simulated company is the one who asks. */
const repasse = httpClient(() => ({ provider: "repasse", baseUrl: env.APP_URL }));

/** POSTs a notice. Returns the receiver's status, or 0 when it did not answer. */
async function notify({ path, sign }: Receiver, notice: object): Promise<number> {
  const body = JSON.stringify(notice);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = repasse(path, { method: "POST", kind: "POST /callbacks", headers: sign(body), body, signal });
  return sent.then(
    ({ status }) => status,
    () => 0,
  );
}
