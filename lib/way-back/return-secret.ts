import type { AccountContext } from "@/lib/accounts/context";
import { readPublicKey } from "@/lib/public-keys/public-key";
import type { ReturnSecret } from "@/lib/way-back/schema";
import { returnSecretOf } from "@/lib/way-back/sign";

/** The secret by which a shop verifies who comes back from a payment. It changes with the public key. */
export async function readReturnSecret(account: AccountContext): Promise<ReturnSecret> {
  const { data } = await readPublicKey(account);
  return { data: { secret: returnSecretOf(data.key) } };
}
