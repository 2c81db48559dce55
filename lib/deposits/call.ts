import { forAccount, type Tx, transactionFor } from "@/lib/db";
import { presentDeposit } from "@/lib/deposits/present";
import { AppError } from "@/lib/errors";
import { findReplay, type Intent } from "@/lib/idempotency";
import { digitsOf } from "@/lib/ids";
import { callAndWait } from "@/lib/outside/call-and-wait";
import type { CallKind, Lost } from "@/lib/outside/calls";
import type { DynamicCodes, Issued, PixRail } from "@/lib/rails/pix/port";
import { codesOf } from "@/lib/rails/pix/rails";
import { insertSales, type NewSale, type PageSale } from "@/lib/transactions/insert";
import { moveSales, writePixCodes } from "@/lib/transactions/move";
import { readSale, type Sale } from "@/lib/transactions/sale";

/**
 * Requests a deposit on a rail that makes its codes itself. The first transaction writes the sale, then the rail is
 * asked, and the second transaction writes the code (`lib/outside/call-and-wait.ts`). Without an answer the sale stays
 * pending, and the loop of calls asks about our txid until the rail gives the code, or until the request surely never reached it.
 * Where the rail has no room for a request, nothing is written.
 * Throws `deposit_pending`, `deposit_not_made`, `rail_unavailable` and what `callAndWait` throws.
 */
export async function requestByCall(rail: PixRail & DynamicCodes, request: Request, code: CodeRequest, intent: Intent) {
  const isAdmitted = await admitted(rail, request, intent);
  const { admit, ...sale } = request;
  const { accountId, id, createdAt, expiresAt } = sale;
  const txid = digitsOf(id);
  const validMs = expiresAt.getTime() - createdAt.getTime();
  let lost: Lost | undefined;
  const ask = async () => {
    const answer = await rail.requestCode({ ...code, txid, validMs, isAdmitted });
    if (answer.status === "lost") lost = answer;
    return answer;
  };
  const begin = async (tx: Tx) => {
    const own = await admit?.(tx);
    if (own) return { row: own };
    const [row] = await insertSales(tx, [{ ...sale, txid, provider: rail.provider }]);
    return { row: row as Sale, ask };
  };
  const present = (row: Sale) => {
    if (row.status === "failed" && lost?.retryAfterMs) throw busy(lost.retryAfterMs, { freesKey: true });
    return presentDeposit(row);
  };
  const { provider } = rail;
  const verb = { kind: depositCall, provider, begin, read: readSale, present };
  return callAndWait({ accountId, id }, verb, intent);
}

/**
 * Takes room for one more request of the rail; false where none will be made, because the key is a repeat's, or the payer's own
 * open code is given again. Throws `rail_unavailable` where there is no room, and a repeat's answer where it has one.
 */
async function admitted(rail: DynamicCodes, { accountId, admit }: Request, { idem }: Intent): Promise<boolean> {
  if (!rail.admitCode) return true;
  if (await findReplay(idem)) return false;
  if (admit && (await findOwn(accountId, admit))) return false;
  const waitMs = await rail.admitCode(accountId);
  if (waitMs > 0) throw busy(waitMs);
  return true;
}

/** The payer's own open code, if it would be given again. What admits it also ends codes, which is undone until there is room. */
async function findOwn(accountId: string, admit: PageSale["admit"]): Promise<Sale | undefined> {
  const undone = new Error("Only looked");
  let own: Sale | undefined;
  const look = async (tx: Tx) => {
    own = await admit(tx);
    throw undone;
  };
  await forAccount(accountId, look).catch((error) => {
    if (error !== undone) throw error;
  });
  return own;
}

const busy = (retryAfterMs: number, more = {}) => new AppError("rail_unavailable", { retryAfterMs, ...more });

type Request = NewSale & { expiresAt: Date; admit?: PageSale["admit"] | undefined };
type CodeRequest = Omit<Parameters<DynamicCodes["requestCode"]>[0], "txid" | "validMs">;

/** The call that requests a code. Our id of the call is its sale's id; the rail knows it by the txid. */
export const depositCall = {
  name: "deposit",

  async find({ accountId, id, provider }) {
    const { amount, txid } = await transactionFor(accountId, (query) => readSale(query, { accountId, id }));
    return codesOf(provider).findCode({ txid: txid as string, amount: Number(amount) });
  },

  /** Writes the sale's code, or fails the sale with an event. */
  async write(query, { accountId, id }, answer) {
    const [changed] =
      answer.status === "lost"
        ? await moveSales(query, "fail", [{ accountId, id }])
        : await writePixCodes(query, [{ accountId, id, pixCode: answer.code }]);
    return changed?.sale;
  },
} satisfies CallKind<Issued, Sale>;
