import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";

/** Only the last two signs of a CPF or CNPJ are left: "***.***.***-25". */
export const maskDocument = (text: string) => maskBut(2, text);

/** Only the last four digits of a phone are left. */
export const maskPhone = (text: string) => maskBut(4, text);

/** "a***@example.com" of "ana@example.com". */
export const maskEmail = (text: string) => text.replace(/^(.)[^@]*@/u, "$1***@");

/** Masks letters and digits but the last ones, and all of a text that is not longer than twice as much. */
function maskBut(shown: number, text: string): string {
  const signs = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  let left = signs - (signs > 2 * shown ? shown : 0);
  return text.replace(/[\p{L}\p{N}]/gu, (sign) => (left-- > 0 ? "*" : sign));
}

/**
 * Masks whatever of a text is surely an e-mail, a document or a phone: an address with an @, a CPF or CNPJ whose check digits
 * are right, and a number of a country's with its plus.
 */
export const maskText = (text: string) =>
  text
    .replace(EMAIL, maskEmail)
    .replace(DOCUMENT, (found) => (isDocument(found.replace(/[^A-Z\d]/g, "")) ? maskDocument(found) : found))
    .replace(PHONE, maskPhone);

const isDocument = (signs: string) => isValidCpf(signs) || isValidCnpj(signs, { version: 2 });

const EMAIL = /[^\s<>()[\]",;:\\@]+@[^\s<>()[\]",;:\\@]+/gu;
const DOCUMENT =
  /(?<![\w.-])(\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[A-Z\d]{2}\.?[A-Z\d]{3}\.?[A-Z\d]{3}\/?[A-Z\d]{4}-?\d{2})(?![\w-])/g;
const PHONE = /\+\d[\d ()-]{6,18}\d/g;

/**
 * A value of JSON with the documents, e-mails and phones in it masked: members by what their names end with, in any
 * spelling of this program, and every text by `maskText`. A text that is JSON itself, such as a delivery's body, is masked like
 * it; one that somebody else wrote loses every number that is as long as a phone or a document.
 */
export function maskMembers(value: unknown, name = ""): unknown {
  if (typeof value === "string") return maskNamed(value, name);
  if (Array.isArray(value)) return value.map((member) => maskMembers(member, name));
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value);
  const changed = "name" in value && "before" in value ? String(value.name) : name; // a change says what changed beside it
  return Object.fromEntries(
    members.map(([key, member]) => [key, maskMembers(member, /^(before|after)$/.test(key) ? changed : key)]),
  );
}

function maskNamed(text: string, name: string): string {
  if (/(document|documento|cpf|cnpj)$/i.test(name)) return maskDocument(text);
  if (/(phone|telefone|celular)$/i.test(name)) return maskPhone(text);
  if (/^(pix_?code|paymentcode)$/i.test(name)) return text; // it is to be paid, and names who receives alone
  const inner = /^\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (inner !== undefined) return JSON.stringify(maskMembers(inner));
  return /^(response_body|answer)$/.test(name) ? maskText(text).replace(/\d{10,14}/g, maskPhone) : maskText(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it only looks like JSON
  }
}

/** The text of a JSON answer with its members masked. */
export const maskJson = (text: string) => (text === "" ? text : JSON.stringify(maskMembers(JSON.parse(text))));

/** The lines of a file, masked by the form of its texts. */
export async function* maskLines(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const text of lines) yield maskText(text);
}
