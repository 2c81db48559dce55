import type { AccountContext } from "@/lib/accounts/context";
import { openCard, type SpentToken } from "@/lib/cards/seal";
import { businessNow } from "@/lib/clock";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";

type Consent = { text: string; ip: string; user_agent: string };

/**
 * Keeps a token's card, without its CVV, for later charges. Written with the charge and in force once that is approved;
 * a charge that comes to nothing takes it away again (`lib/cards/finish.ts`). Its id is the token's, under which it is
 * sealed.
 */
export async function storeCard(
  tx: Tx,
  account: AccountContext,
  tokenId: string,
  sale: string,
  document: string,
  consent: Consent,
) {
  await tx.$executeRaw`
    insert into stored_cards (id, account_id, transaction_id, brand, last4, fingerprint, wrapped_key, sealed_card, document,
      consent, consented_at)
    select id, account_id, ${sale}::uuid, brand, last4, fingerprint, wrapped_key, sealed_card, ${document},
      ${JSON.stringify(consent)}::jsonb, ${businessNow(account)}
    from card_tokens where account_id = ${account.id}::uuid and id = ${tokenId}::uuid`;
}

/**
 * A kept card, opened for one charge; there is no CVV to send with it. Throws `card_not_found`, also when its first
 * charge is not approved, or was disputed and lost.
 */
export async function openStoredCard(tx: Tx, accountId: string, id: string): Promise<SpentToken> {
  const stored = await tx.storedCard.findUnique({ where: { accountId_id: { accountId, id } } });
  const key = stored && { accountId_id: { accountId, id: stored.transactionId } };
  const first = key && (await tx.transaction.findUnique({ where: key, select: { paidAt: true, status: true } }));
  if (!stored || !first?.paidAt || first.status === "chargedback") throw new AppError("card_not_found");
  const { brand, last4, wrappedKey, sealedCard } = stored;
  const card = openCard({ accountId, id, wrappedKey, sealedCard });
  return { tokenId: null, brand, last4, fingerprint: Buffer.from(stored.fingerprint), card };
}
