import type { AccountContext } from "@/lib/accounts/context";
import { cardContext, type SpentToken } from "@/lib/card-tokens/tokenize";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import type { PlainCard } from "@/lib/rails/cards/port";
import { lastDayOf, monthOf } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";
import { decrypt, decryptWith, encryptWith, newDataKey } from "@/lib/vault/vault";
import type { StoredCard } from "@/prisma/client/client";

type Consent = { text: string; ip: string; user_agent: string };

/** What may be shown of a kept card. `expiresOn` is its last day, YYYY-MM-DD; null where it is not known. */
export type KeptCard = { id: string; brand: string; last4: string; keptAt: Date; expiresOn: string | null };

/** A sandbox keeps the card of this test number with an expiry of its own, so that a partner sees a kept card expire. */
const EXPIRING = "4000000000000309";
/** The month of that expiry, counted from the present one. */
const EXPIRES_IN_MONTHS = 2;

/**
 * Keeps a token's card, without its CVV, for later charges. It is written with the first charge and can be charged once
 * that is approved; a first charge that is not approved deletes it (`lib/charges/call.ts`).
 */
export async function storeCard(
  tx: Tx,
  account: AccountContext,
  { brand, last4, fingerprint, card }: SpentToken,
  transactionId: string,
  document: string,
  consent: Consent,
): Promise<KeptCard> {
  const [id, keptAt] = [newId(), businessNow(account)];
  const kept = account.mode === "sandbox" && card.number === EXPIRING ? { ...card, ...expiryAfter(keptAt) } : card;
  const expiresOn = lastDayOfCard(kept);
  await tx.storedCard.create({
    data: {
      ...{ id, accountId: account.id, transactionId, brand, last4, document, consent },
      fingerprint: new Uint8Array(fingerprint),
      consentedAt: keptAt,
      expiresOn: dateOf(expiresOn),
      ...encryptStoredCard(account.id, id, kept),
    },
  });
  return { id, brand, last4, keptAt, expiresOn };
}

/** A card can be charged until its month ends, in São Paulo. */
const lastDayOfCard = ({ expiry_year: year, expiry_month: month }: PlainCard) => lastDayOf(`${year}-${month}`);

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

function expiryAfter(at: Date): Pick<PlainCard, "expiry_month" | "expiry_year"> {
  const [year = 0, month = 0] = monthOf(at).split("-").map(Number);
  const text = new Date(Date.UTC(year, month - 1 + EXPIRES_IN_MONTHS)).toISOString();
  return { expiry_year: text.slice(0, 4), expiry_month: text.slice(5, 7) };
}

/** Reads the last day of a card that an earlier release kept, and notes it. Null where the vault's key is gone. */
export async function readLastDay(tx: Tx, accountId: string, id: string): Promise<string | null> {
  const where = { accountId_id: { accountId, id } };
  const stored = await tx.storedCard.findUnique({ where });
  try {
    const day = stored && lastDayOfCard(decryptStoredCard(stored));
    if (day) await tx.storedCard.update({ where, data: { expiresOn: dateOf(day) } });
    return day;
  } catch (error) {
    log.warn({ accountId, storedCardId: id, error }, "the expiry of a kept card cannot be read");
    return null;
  }
}

/** Encrypts a card, without its CVV, under a key of its own, which the vault wraps. */
export function encryptStoredCard(accountId: string, id: string, { cvv, ...kept }: PlainCard) {
  const context = cardContext(accountId, id);
  const { key, wrapped } = newDataKey(context);
  const sealedCard = new Uint8Array(encryptWith(key, JSON.stringify(kept), context));
  return { wrappedKey: new Uint8Array(wrapped), sealedCard };
}

type Encrypted = Pick<StoredCard, "accountId" | "id" | "wrappedKey" | "sealedCard">;

/** Decrypts what `encryptStoredCard` made. */
export function decryptStoredCard({ accountId, id, wrappedKey, sealedCard }: Encrypted): PlainCard {
  const context = cardContext(accountId, id);
  return JSON.parse(decryptWith(decrypt(wrappedKey, context), sealedCard, context).toString());
}

/**
 * A card on file, decrypted for one charge, without a CVV. Throws `card_not_found`, also when its first charge is not
 * approved, or was disputed and lost.
 */
export async function openStoredCard(tx: Tx, accountId: string, id: string): Promise<SpentToken> {
  const stored = await tx.storedCard.findUnique({ where: { accountId_id: { accountId, id } } });
  const key = stored && { accountId_id: { accountId, id: stored.transactionId } };
  const first = key && (await tx.transaction.findUnique({ where: key, select: { paidAt: true, status: true } }));
  if (!stored || !first?.paidAt || first.status === "chargedback") throw new AppError("card_not_found");
  const { brand, last4, fingerprint } = stored;
  return { tokenId: null, brand, last4, fingerprint: Buffer.from(fingerprint), card: decryptStoredCard(stored) };
}
