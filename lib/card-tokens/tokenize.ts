import { type AccountContext, assertActive } from "@/lib/accounts/context";
import type { CardToken, CardTokenBody } from "@/lib/card-tokens/schema";
import { keysOf, newCardToken, opaqueOf, tokenHash } from "@/lib/card-tokens/token";
import { coalesce } from "@/lib/concurrency/coalesce";
import { runPrepared, type Tx, withoutQueue } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { brandOf } from "@/lib/pan/brands";
import type { PlainCard } from "@/lib/rails/cards/port";
import { iso, realNow } from "@/lib/time/clock";
import { decrypt, decryptWith, encryptWith, fingerprint, newDataKey } from "@/lib/vault/vault";
import type { CardToken as Row } from "@/prisma/client/client";

/** In real time, also in a sandbox. */
const LIFETIME_MS = 15 * 60 * 1000;

/** The context that the vault authenticates with a card and with its data key. */
export const cardContext = (accountId: string, id: string) => `card:${accountId}:${id}`;

const cvvContext = (accountId: string, id: string) => `cvv:${accountId}:${id}`;

/**
 * Tokenizes a card for one charge within 15 minutes. The CVV is encrypted under a key that is derived from the token,
 * which only the token's holder has; the rest under a key from the token and the row's own data key.
 * Throws 422 at `card.number` for a brand that we do not know.
 */
export async function tokenizeCard(
  { id: accountId }: Pick<AccountContext, "id">,
  { card }: CardTokenBody,
): Promise<CardToken> {
  const { cvv, ...kept } = card;
  const brand = brandOf(card.number);
  if (!brand) throw invalid({ "card.number": ["Bandeira não aceita."] });
  const [id, { token, opaque, hash }] = [newId(), newCardToken()];
  const context = cardContext(accountId, id);
  const { key: dataKey, wrapped } = newDataKey(context);
  const keys = keysOf(opaque);
  const last4 = card.number.slice(-4);
  const expires_at = iso(new Date(realNow().getTime() + LIFETIME_MS));
  const sealedCard = encryptWith(keys.cardOf(dataKey), JSON.stringify(kept), context);
  const sealedCvv = encryptWith(keys.cvv, cvv, cvvContext(accountId, id));
  await store([
    accountId,
    id,
    hash,
    brand,
    last4,
    fingerprint(card.number),
    wrapped,
    sealedCard,
    sealedCvv,
    expires_at,
  ]);
  return { data: { token, brand, last4, expires_at } };
}

/** Writes a row; cards that are tokenized at the same moment are written in one statement, which waits in no account's queue. */
const store = coalesce<unknown[], void>(async (rows) => {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column])) ?? [];
  await withoutQueue(() => runPrepared("store_card_tokens", INSERT, [[...new Set(columns[0])].join(","), ...columns]));
  return rows.map(() => undefined);
});

const INSERT = `with scope as materialized (select set_config('app.accounts', $1, true) as named)
  insert into card_tokens (account_id, id, hash, brand, last4, fingerprint, wrapped_key, sealed_card, sealed_cvv,
    expires_at)
  select t.* from scope cross join lateral (
    select * from unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::text[], $6::text[], $7::bytea[], $8::bytea[],
      $9::bytea[], $10::bytea[], $11::timestamptz[]) where scope.named is not null offset 0
  ) t`;

/** Tokenizes a card that a partner's back-end sends. Throws also `account_not_approved`, `account_suspended`. */
export async function tokenizeForPartner(account: AccountContext, input: CardTokenBody): Promise<CardToken> {
  assertActive(account);
  return tokenizeCard(account, input);
}

/** A card for one charge, in memory only. `tokenId` is null for a stored card. */
export type SpentToken = {
  tokenId: string | null;
  brand: string;
  last4: string;
  fingerprint: Buffer;
  card: PlainCard;
};

/**
 * Spends a token for a charge, in the caller's transaction. Of two callers at once exactly one gets the card, and its
 * commit deletes the CVV. Throws `DUPLICATE_CARD_TOKEN`, `card_token_expired`, and 422 at `card.token`, with the same
 * text for a token that is malformed, unknown or another account's.
 */
export async function spendToken(tx: Tx, accountId: string, token: string): Promise<SpentToken> {
  const opaque = opaqueOf(token);
  if (!opaque) throw unknownToken();
  const hash = tokenHash(opaque);
  const [row] = await tx.$queryRaw<Spent[]>`
    with held as (
      select id, sealed_cvv from card_tokens
      where account_id = ${accountId}::uuid and hash = ${hash} and spent_at is null and expires_at > now() and sealed_cvv is not null
      for update
    )
    update card_tokens t set spent_at = now(), sealed_cvv = null
    from held where t.account_id = ${accountId}::uuid and t.id = held.id
    returning t.id, t.brand, t.last4, t.fingerprint, t.wrapped_key as "wrappedKey", t.sealed_card as "sealedCard",
      held.sealed_cvv as "sealedCvv"`;
  if (!row) throw await reasonWhy(tx, accountId, hash);
  const { id, brand, last4, wrappedKey, sealedCard, sealedCvv } = row;
  const keys = keysOf(opaque);
  const context = cardContext(accountId, id);
  const kept = JSON.parse(decryptWith(keys.cardOf(decrypt(wrappedKey, context)), sealedCard, context).toString());
  const card = { ...kept, cvv: decryptWith(keys.cvv, sealedCvv, cvvContext(accountId, id)).toString() };
  return { tokenId: id, brand, last4, fingerprint: Buffer.from(row.fingerprint), card };
}

type Spent = Pick<Row, "id" | "brand" | "last4" | "fingerprint"> &
  Record<"wrappedKey" | "sealedCard" | "sealedCvv", Uint8Array>;

const unknownToken = () => invalid({ "card.token": ["Token de cartão inválido. Gere outro e tente de novo."] });

async function reasonWhy(tx: Tx, accountId: string, hash: Buffer): Promise<AppError> {
  const where = { accountId_hash: { accountId, hash: new Uint8Array(hash) } };
  const row = await tx.cardToken.findUnique({ where, select: { spentAt: true } });
  if (!row) return unknownToken();
  return new AppError(row.spentAt ? "DUPLICATE_CARD_TOKEN" : "card_token_expired");
}
