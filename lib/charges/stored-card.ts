import type { AccountContext } from "@/lib/accounts/context";
import { cardContext, type SpentToken } from "@/lib/card-tokens/tokenize";
import { businessNow } from "@/lib/clock";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { PlainCard } from "@/lib/rails/cards/port";
import { decrypt, decryptWith, encryptWith, newDataKey } from "@/lib/vault";
import type { StoredCard } from "@/prisma/client/client";

type Consent = { text: string; ip: string; user_agent: string };

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
): Promise<string> {
  const id = newId();
  await tx.storedCard.create({
    data: {
      ...{ id, accountId: account.id, transactionId, brand, last4, document, consent },
      fingerprint: new Uint8Array(fingerprint),
      consentedAt: businessNow(account),
      ...encryptStoredCard(account.id, id, card),
    },
  });
  return id;
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
