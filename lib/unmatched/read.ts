import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { platforms } from "@/lib/ledger/chart";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import { methods } from "@/lib/methods/methods";
import { centsOf } from "@/lib/money";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import { findPayable } from "@/lib/transactions/payable";
import { presentUnmatched } from "@/lib/unmatched/present";
import { unmatchedOf } from "@/lib/unmatched/record";
import type { ListedUnmatched, UnmatchedDetail, UnmatchedPage, UnmatchedQuery } from "@/lib/unmatched/schema";
import { heldUnmatched } from "@/lib/unmatched/states";
import type { UnmatchedReceipt } from "@/prisma/client/client";
import type { Mode, TransactionMethod } from "@/prisma/client/enums";

type Key = { accountId: string; id: string };

/** Whether a rail received it, and no acquirer. */
export const isOfRail = (method: TransactionMethod) => methods[method].refundedBy === "rail";

/** Unmatched money by its account and id. Throws `unmatched_not_found`. */
export const findUnmatched = (query: Query, { accountId, id }: Key): Promise<UnmatchedReceipt> =>
  find(query, "unmatched_find", "id", [accountId, id]);

/** The same by the id of its return, which is that of the call. */
export const findReturned = (query: Query, { accountId, id }: Key): Promise<UnmatchedReceipt> =>
  find(query, "unmatched_returned", "return_id", [accountId, id]);

/** The same; undefined where its latest return is another one. */
export const lookForReturned = (query: Query, { accountId, id }: Key): Promise<UnmatchedReceipt | undefined> =>
  lookFor(query, "unmatched_returned", "return_id", [accountId, id]);

type Column = "id" | "return_id";

async function find(query: Query, name: string, column: Column, values: unknown[]): Promise<UnmatchedReceipt> {
  const found = await lookFor(query, name, column, values);
  if (!found) throw new AppError("unmatched_not_found");
  return found;
}

async function lookFor(query: Query, name: string, column: Column, values: unknown[]) {
  const text = `select to_jsonb(u) as row from unmatched_receipts u where account_id = $1::uuid and ${column} = $2::uuid`;
  const [found] = await query<{ row: Row }>(name, text, values);
  return found && unmatchedOf(found.row);
}

const AGES_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

/** What came with this end-to-end id or txid, or of this amount: three branches, each with an index of its own. */
const columns = ["end_to_end_id = $3", "txid = $3", "amount = $4::bigint"];

type Found = { row: Row; name: string | null };

/**
 * Unmatched money of a mode and status: what is held the longest waiting first, what has ended the latest first. Throws 422
 * for a page too far from the start.
 */
export function listUnmatched({ mode, status, age, reason, search, ...page }: UnmatchedQuery): Promise<UnmatchedPage> {
  const skip = skipOf(page);
  const isHeld = heldUnmatched.some((held) => held === status);
  // No parameters, because under row-level security only the condition of an index is found, and no comparison of an enum.
  const isAsked = `u.mode = '${mode}' and u.status = '${status}' and ($1::timestamptz is null or u.received_at <= $1)
    and ($2::text is null or u.reason = $2)`;
  const text = search || null;
  const searched = columns.map((column) => `select * from unmatched_receipts u where u.${column} and ${isAsked}`);
  const rows = text ? `(${searched.join(" union ")})` : `(select * from unmatched_receipts u where ${isAsked})`;
  const order = isHeld ? "received_at, id" : "received_at desc, id desc";
  const until = age ? new Date(realNow().getTime() - AGES_MS[age]) : null;
  const values = [until, reason ?? null, ...(text ? [text, centsTyped(text)] : [])];
  const at = values.length;
  return readForStaff(async (tx) => {
    const query = queryOf(tx);
    const counted = `select count(*)::int as found from (select from ${rows} u limit $${at + 1}) n`;
    const [count] = await query<{ found: number }>("", counted, [...values, COUNTED]);
    const shown = `select to_jsonb(u) as row, a.name
      from (select * from ${rows} u order by ${order} limit $${at + 1} offset $${at + 2}) u
      left join accounts a on a.id = u.account_id order by ${order.replaceAll(/(received_at|\bid)/g, "u.$1")}`;
    const found = await query<Found>("", shown, [...values, page.per_page, skip]);
    return { data: found.map(present), meta: metaOf(count?.found ?? 0, page) };
  });
}

/** SQL: since when money of a mode waits for a person; what goes back by itself waits for nobody. */
export const waitingUnmatched = (mode: Mode) => `select received_at as since from unmatched_receipts
  where mode = '${mode}' and status = 'open' and return_at is null order by received_at, id`;

/** Cents of an amount that somebody typed, with a comma or a point; null of anything else. */
const centsTyped = (text: string): number | null => {
  const plain = text.replace(/^R\$\s*/, "").replace(/\.(?=\d{3}\b)/g, "");
  return /^\d{1,10}([.,]\d{1,2})?$/.test(plain) ? (centsOf(plain.replace(",", ".")) ?? null) : null;
};

function present({ row, name }: Found): ListedUnmatched {
  const receipt = unmatchedOf(row);
  return { ...presentUnmatched(receipt), account: name === null ? null : { id: receipt.accountId, name } };
}

/** One, whatever became of it, with the sales that it may have been meant for while it is open. Throws `unmatched_not_found`. */
export const readUnmatched = (key: Key): Promise<{ data: UnmatchedDetail }> =>
  readForStaff(async (tx) => {
    const query = queryOf(tx);
    const receipt = await findUnmatched(query, key);
    const { accountId, toAccountId, decidedBy, status, mode, method, amount, txid, receivedAt } = receipt;
    const names = await tx.account.findMany({
      where: { id: { in: [accountId, ...(toAccountId ? [toAccountId] : [])] } },
      select: { id: true, name: true },
    });
    const named = (id: string | null) => names.find((account) => account.id === id) ?? null;
    const person = decidedBy && (await tx.user.findUnique({ where: { id: decidedBy }, select: { name: true } }));
    const isOfPlatform = Object.values(platforms).includes(accountId);
    const sought = { mode, method, amount, txid, near: receivedAt, accountId: isOfPlatform ? null : accountId };
    const isOpen = status === "open" && isOfRail(method);
    const candidates = isOpen ? await findPayable(query, sought) : [];
    const data = {
      ...{ ...presentUnmatched(receipt), account: named(accountId), credited_to: named(toAccountId) },
      ...{ decided_by: person ? person.name : null, candidates },
      may_be_own_transfer: isOpen && mode === "live",
    };
    return { data };
  });
