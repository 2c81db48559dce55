import { assertInNetworks } from "@/lib/auth/networks";
import { scopesOf } from "@/lib/auth/scopes";
import { prisma, runPrepared } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId, newSecret, sha256 } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { iso, realNow } from "@/lib/time/clock";

const LIFETIME_MS = 60 * 60 * 1000;

type Pair = { client_id: string; client_secret: string };
/** `ip` is from where it is asked. */
type Asked = Pair & { ip: string };

/**
 * Mints an access token for a client id and secret. It is valid for one hour of real time, also in a sandbox. An
 * unknown id, a wrong secret, a revoked and an expired pair get the same answer. Throws `invalid_client`, `rate_limit_exceeded`,
 * and `ip_not_allowed` for the right pair from outside its networks.
 */
export async function mintToken({ client_id, client_secret, ip }: Asked) {
  const where = {
    clientId: client_id.toLowerCase(),
    secretHash: new Uint8Array(sha256(client_secret)),
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: realNow() } }],
  };
  const credential = isId(client_id) ? await prisma().credential.findFirst({ where }) : null;
  // A client id is no secret, so a caller without its secret spends slots of the caller's address instead.
  await spendSlot("auth-token", credential?.clientId ?? limitKey(ip));
  if (!credential) throw new AppError("invalid_client");
  const { clientId, allowedNetworks } = credential;
  assertInNetworks(ip, allowedNetworks);
  const token = newSecret();
  const expiresAt = new Date(Math.min(realNow().getTime() + LIFETIME_MS, Number(credential.expiresAt ?? Infinity)));
  // The statement reads the credential's row again, so that a credential revoked a moment ago, or
  // with other rights than a moment ago, gets no token, and that of a sandbox that was reset one of the present sandbox.
  const minted = await runPrepared(
    "mint_token",
    `with credential as (
       update credentials set last_used_at = now(), last_used_ip = $5 where client_id = $1 and revoked_at is null
         and scopes = $6 and role::text is not distinct from $7
       returning client_id, account_id, allowed_networks, is_masked
     )
     insert into access_tokens (hash, account_id, client_id, scopes, allowed_networks, is_masked, expires_at)
     select $2, account_id, client_id, $3, allowed_networks, is_masked, $4 from credential returning 1`,
    [clientId, sha256(token), scopesOf(credential), expiresAt, ip, credential.scopes, credential.role],
  );
  if (minted.length === 0) throw new AppError("invalid_client");
  return {
    access_token: token,
    token_type: "Bearer" as const,
    expires_in: 3600 as const,
    expires_at: iso(expiresAt),
  };
}
