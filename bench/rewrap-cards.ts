import { parentPort, workerData } from "node:worker_threads";
import { openCard, sealCard } from "@/lib/cards/seal";
import { forAccount, pool } from "@/lib/db";
import { someNumber } from "@/lib/testing/card-search";
import { fingerprint } from "@/lib/vault";

/** A thread of the rewrap benchmark, with a vault ring of its own: seals so many cards for each account, or opens all there are. */
type Told = { task: "seal" | "open"; accounts: string[]; each: number; keep: boolean };

const AT_ONCE = 400;

async function seal({ accounts, each, keep }: Told) {
  const tokens: { accountId: string; token: string }[] = [];
  for (const accountId of accounts) {
    for (let left = each; left > 0; left -= AT_ONCE) {
      const some = Array.from({ length: Math.min(left, AT_ONCE) }, () => sealOne(accountId));
      const sealed = await Promise.all(some);
      if (keep) tokens.push(...sealed.map((token) => ({ accountId, token })));
    }
  }
  return tokens;
}

async function sealOne(accountId: string) {
  const card = { number: someNumber(), holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: "123" };
  return (await sealCard(accountId, card)).data.token;
}

type Row = { id: string; fingerprint: Buffer; wrappedKey: Uint8Array; sealedCard: Uint8Array };

/** A card opens when what comes out is the very number of its row. */
async function open({ accounts }: Told) {
  const counted = { opened: 0, failed: 0 };
  for (const accountId of accounts) {
    for (const table of ["card_tokens", "stored_cards"]) {
      const text = `select id::text, fingerprint, wrapped_key as "wrappedKey", sealed_card as "sealedCard" from ${table}`;
      const rows = await forAccount(accountId, (tx) =>
        tx.$queryRawUnsafe<Row[]>(`${text} where account_id = $1::uuid`, accountId),
      );
      for (const row of rows) counted[isRight(accountId, row) ? "opened" : "failed"] += 1;
    }
  }
  return counted;
}

function isRight(accountId: string, row: Row) {
  try {
    return fingerprint(openCard({ accountId, ...row }).number).equals(row.fingerprint);
  } catch {
    return false;
  }
}

const told = workerData as Told;
parentPort?.postMessage(await (told.task === "seal" ? seal : open)(told));
await pool().end();
