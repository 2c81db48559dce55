import { documentNumber, phoneNumber } from "@/components/format";
import { plain } from "@/lib/typed/text";
import { keyOf } from "@/lib/withdrawals/pix-key";
import type { Withdrawal } from "@/lib/withdrawals/schema";

export type KeyType = Withdrawal["pix_key_type"];
export type Key = { type: KeyType; key: string };

/** Every type, in the order in which a text is tried. The schema's own list would load zod. */
const types = Object.keys({ EVP: 1, EMAIL: 1, CNPJ: 1, CPF: 1, PHONE: 1 } satisfies Record<KeyType, 1>) as KeyType[];

/**
 * The Pix keys that a typed or pasted text may be: none, one, or two of eleven digits that are a CPF and a phone alike. The
 * marks that only one of them is written with decide.
 */
export function keysIn(text: string): Key[] {
  const readings = types.flatMap((type) => {
    const key = keyOf(type, text);
    return key === undefined ? [] : [{ type, key }];
  });
  const typed = plain(text).trim();
  const written = CPF.test(typed) ? "CPF" : /[+()]/.test(typed) ? "PHONE" : undefined;
  return readings.some(({ type }) => type === written) ? readings.filter(({ type }) => type === written) : readings;
}

const CPF = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;

/** A key as people write it: "529.982.247-25", "(11) 98765-4321". */
export function keyText({ type, key }: Key): string {
  if (type === "CPF" || type === "CNPJ") return documentNumber(key);
  return type === "PHONE" ? phoneNumber(key.replace(/^\+55/, "")) : key;
}

/** Who receives, for people: the owner's name, or the key where the provider tells nobody. */
export const payeeText = (row: Pick<Withdrawal, "owner_name" | "pix_key_type" | "pix_key">) =>
  row.owner_name ?? keyText({ type: row.pix_key_type, key: row.pix_key });

/** A key as banks print it on a receipt, so that it can be recognised and not used: "***.982.247-**". */
export function maskedKey({ type, key }: Key): string {
  if (type === "CPF") return maskedCpf(key);
  if (type === "PHONE") return key.replace(/^\+55(\d\d)\d+(\d{4})$/, "($1) *****-$2");
  if (type === "EMAIL") return key.replace(/^(..?)[^@]*@/, "$1***@");
  if (type === "EVP") return key.replace(/^([\da-f]{8})-.*(.{4})$/, "$1-****-****-****-********$2");
  return documentNumber(key); // a company's is public
}

/** A document on a receipt: of a CPF the middle alone, and a company's CNPJ, which is public. */
export const maskedDocument = (text: string) => (/^\d{11}$/.test(text) ? maskedCpf(text) : documentNumber(text));

const maskedCpf = (cpf: string) => cpf.replace(/^\d{3}(\d{3})(\d{3})\d{2}$/, "***.$1.$2-**");
