import { decrypt, decryptWith, encryptWith, newDataKey } from "@/lib/vault/vault";

/** A file as it is kept: encrypted under a key of its own, which the vault wraps. */
export type SealedFile = { wrappedKey: Uint8Array<ArrayBuffer>; bytes: Uint8Array<ArrayBuffer> };

/** Encrypts a file for `context`, without which it is not decrypted. */
export function sealFile(file: Buffer, context: string): SealedFile {
  const { key, wrapped } = newDataKey(context);
  return { wrappedKey: new Uint8Array(wrapped), bytes: new Uint8Array(encryptWith(key, file, context)) };
}

/** The file as it was sent. Throws for another context. */
export const openFile = (
  { wrappedKey, bytes }: { wrappedKey: Uint8Array; bytes: Uint8Array },
  context: string,
): Buffer => decryptWith(decrypt(wrappedKey, context), bytes, context);
