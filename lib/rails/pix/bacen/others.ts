import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

/** The form of the txid of each code that is ours (`newId`). */
const OUR_TXID = /^[0-9a-f]{32}$/;

type Paid = { chave?: string | undefined; txid?: string | undefined };

/** Whether it was paid to another key of the PSP's client, for a code that another system made. */
export function isOfOthers({ chave, txid }: Paid, { pix_key }: BacenSettings): boolean {
  const isOtherKey = chave !== undefined && chave.toLowerCase() !== pix_key.toLowerCase();
  return isOtherKey && !OUR_TXID.test(txid ?? "");
}
