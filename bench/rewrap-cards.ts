import { parentPort, workerData } from "node:worker_threads";
import { cardContext, tokenizeCard } from "@/lib/card-tokens/tokenize";
import { decryptStoredCard, encryptStoredCard } from "@/lib/charges/stored-card";
import { closePools, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { someNumber } from "@/lib/testing/card-search";
import { decrypt as decryptKey, fingerprint } from "@/lib/vault/vault";
import type { StoredCard } from "@/prisma/client/client";

/** The task of a thread of the rewrap benchmark, which has vault keys of its own: it makes `each` cards for each account, or opens all. */
type Task = { name: "tokenize" | "keep" | "open"; accounts: string[]; each: number; keep: boolean };

const AT_ONCE = 400;

async function tokenize({ accounts, each, keep }: Task) {
  const tokens: { accountId: string; token: string }[] = [];
  for (const accountId of accounts) {
    for (let left = each; left > 0; left -= AT_ONCE) {
      const some = Array.from({ length: Math.min(left, AT_ONCE) }, () => tokenizeOne(accountId));
      const made = await Promise.all(some);
      if (keep) tokens.push(...made.map((token) => ({ accountId, token })));
    }
  }
  return tokens;
}

const card = { holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: "123" };
const someCard = () => ({ ...card, number: someNumber() });

const tokenizeOne = async (accountId: string) =>
  (await tokenizeCard({ id: accountId }, { card: someCard() })).data.token;

/** Cards on file, as charges with consent leave them. */
async function keep({ accounts, each }: Task) {
  const rest = {
    transactionId: newId(),
    brand: "visa",
    last4: "0000",
    document: "",
    consent: {},
    consentedAt: new Date(),
  };
  for (const accountId of accounts) {
    for (let left = each; left > 0; left -= AT_ONCE) {
      const data = Array.from({ length: Math.min(left, AT_ONCE) }, () => {
        const [id, card] = [newId(), someCard()];
        const encrypted = encryptStoredCard(accountId, id, card);
        return { id, accountId, ...rest, ...encrypted, fingerprint: new Uint8Array(fingerprint(card.number)) };
      });
      await forAccount(accountId, (tx) => tx.storedCard.createMany({ data }));
    }
  }
}

type Row = Pick<StoredCard, "id" | "fingerprint" | "wrappedKey" | "sealedCard">;

/** Counts the rows that open: a card on file to the number of its row, a token to its key, as only its holder can open the card. */
async function open({ accounts }: Task) {
  const counted = { opened: 0, failed: 0 };
  for (const accountId of accounts) {
    for (const table of ["card_tokens", "stored_cards"]) {
      const text = `select id::text, fingerprint, wrapped_key as "wrappedKey", sealed_card as "sealedCard" from ${table}`;
      const rows = await forAccount(accountId, (tx) =>
        tx.$queryRawUnsafe<Row[]>(`${text} where account_id = $1::uuid`, accountId),
      );
      const isRight = table === "card_tokens" ? hasKey : isItsCard;
      for (const row of rows) counted[isRight(accountId, row) ? "opened" : "failed"] += 1;
    }
  }
  return counted;
}

function hasKey(accountId: string, { id, wrappedKey }: Row) {
  try {
    return decryptKey(wrappedKey, cardContext(accountId, id)).length === 32;
  } catch {
    return false;
  }
}

function isItsCard(accountId: string, row: Row) {
  try {
    return fingerprint(decryptStoredCard({ accountId, ...row }).number).equals(row.fingerprint);
  } catch {
    return false;
  }
}

const task = workerData as Task;
parentPort?.postMessage(await { tokenize, keep, open }[task.name](task));
await closePools();
