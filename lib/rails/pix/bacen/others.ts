import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

const OUR_FORM = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** Whether an id has the form of each code and return of ours: a UUID of version 7 without hyphens (`newId`). */
export const isOurForm = (id: string): boolean => OUR_FORM.test(id);

type Paid = { chave?: string | undefined; txid?: string | undefined };

/** Whether it was paid to another key of the PSP's client, for a code that another system made. */
export function isOfOthers({ chave, txid }: Paid, { pix_key, former_keys = [] }: BacenSettings): boolean {
  const isOtherKey = chave !== undefined && ![pix_key, ...former_keys].map(bare).includes(bare(chave));
  return isOtherKey && !isOurForm(txid ?? "");
}

/** A key however a PSP writes it: some leave out the + of a phone. */
const bare = (key: string) => key.toLowerCase().replace(/^\+/, "");
