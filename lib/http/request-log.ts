import { countStored, rowBytes } from "@/lib/accounts/storage";
import { IN_SCOPE, isUnavailable, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { locked } from "@/lib/due/find";
import type { AccountCaller } from "@/lib/http/authenticate";
import { hideLinks } from "@/lib/http/hide-link";
import type { PageCaller } from "@/lib/http/page-caller";
import { log } from "@/lib/log";
import { hideInPath } from "@/lib/pan/detect";
import { realNow } from "@/lib/time/clock";

type Entry = {
  id: string;
  request: Request;
  caller: AccountCaller | PageCaller;
  status: number;
  error: string | undefined;
  ip: string;
  started: number;
};

const FLUSH_EVERY_MS = 250;
/** When this many rows wait for a slow database, newer ones are dropped, because a log must never delay money. */
const MAX_WAITING = 20_000;

type LogRow = { client_id: string | null };

let waiting: LogRow[] = [];
let timer: NodeJS.Timeout | undefined;
let flushing: Promise<void> | undefined;

/**
 * Logs a request of a known account. Its row is written in a batch within 250 ms, and the answer does not wait for it.
 */
export function logRequest({ id, request, caller, status, error, ip, started }: Entry) {
  schedule();
  const { account } = caller;
  const isByVisitor = caller.kind === "page";
  // What a full account asks is not logged, or its reads would fill the disk.
  if (waiting.length >= MAX_WAITING || (isByVisitor ? account.isVisitorsFull : account.isFull)) return;
  const row = {
    id,
    account_id: account.id,
    method: request.method,
    path: pathOf(request),
    status,
    error,
    duration_ms: Math.round(performance.now() - started),
    ip,
    client_id: "clientId" in caller ? caller.clientId : null,
    user_id: "userId" in caller ? caller.userId : null,
    created_at: new Date(realNow().getTime() - (performance.now() - started)),
  };
  waiting.push(row);
  countStored(account.id, rowBytes.request + row.path.length, isByVisitor ? "visitors" : "account");
}

/** The path without a link's secret and without card numbers, which a caller may have put there. */
const pathOf = (request: Request) => hideInPath(hideLinks(new URL(request.url).pathname)).slice(0, 500);

function schedule() {
  timer ??= setTimeout(flushRequestLog, FLUSH_EVERY_MS).unref();
}

/** Logs a request of no known account as a line of the program's own log. */
export function logAnonymous(request: Request, requestId: string, status: number, error: string | undefined) {
  if (!log.isLevelEnabled("info")) return;
  log.info({ requestId, method: request.method, path: pathOf(request), status, error }, "request");
}

const INSERT = `with ${SCOPE_OF_ALL},
  used as (
    update credentials c set last_used_at = now(), last_used_ip = r.ip from (
      select distinct on (client_id) client_id, ip
      from json_to_recordset($1::json) as r(id uuid, client_id uuid, ip text) where client_id is not null
      order by client_id, id desc
    ) r where r.client_id = c.client_id and ${IN_SCOPE} and c.client_id in (
      ${locked(`select client_id from credentials
      where ${IN_SCOPE} and client_id = any($2::uuid[])
        and (last_used_at is null or last_used_at < now() - interval '1 minute')`)}
    )
  )
  insert into request_log (id, account_id, method, path, status, error, duration_ms, ip, client_id, user_id, created_at)
  select r.* from scope, json_to_recordset($1::json) as r(id uuid, account_id uuid, method text, path text, status int,
    error text, duration_ms int, ip text, client_id uuid, user_id uuid, created_at timestamptz)
  on conflict do nothing`;

/**
 * Writes the waiting rows, and when each credential was last used, one batch at a time, so that a slow table costs only
 * one connection. The host calls this a last time when it stops.
 */
export async function flushRequestLog(): Promise<void> {
  while (flushing) await flushing;
  clearTimeout(timer);
  timer = undefined;
  if (waiting.length === 0) return;
  const rows = waiting;
  waiting = [];
  flushing = write(rows).finally(() => {
    flushing = undefined;
    if (waiting.length > 0) schedule();
  });
  await flushing;
}

/** How many rows one statement writes. */
const BATCH = 2_000;

async function write(rows: LogRow[]) {
  for (let at = 0; at < rows.length; at += BATCH) await writeSome(rows.slice(at, at + BATCH));
}

async function writeSome(rows: LogRow[]) {
  const clients = [...new Set(rows.flatMap(({ client_id }) => client_id ?? []))];
  await runPrepared("request_log", INSERT, [JSON.stringify(rows), clients]).catch((error) => {
    if (isUnavailable(error)) waiting = [...rows, ...waiting].slice(0, MAX_WAITING); // they go with the next batch
    log.error({ error, rows: rows.length }, "request log was not written");
  });
}
