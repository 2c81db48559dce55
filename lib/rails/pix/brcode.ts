import { decimal, MAX_AMOUNT } from "@/lib/money";
import { foldToAscii } from "@/lib/rails/ascii";

/** The fields of a Pix code. Absent members are null. `amount` is in cents. */
export type BrCode = {
  /** Pix key of the receiver (static code). */
  key: string | null;
  /** Address of the payment request at its PSP, without scheme (dynamic code). */
  url: string | null;
  /** Address of a Pix Automático authorisation, without scheme (composite code, id 80). */
  recurrenceUrl: string | null;
  /** A text for the payer; static codes only. */
  text: string | null;
  amount: number | null;
  /** 1 to 25 alphanumerics; null is written `***`, for a txid that only the PSP knows, or none. */
  txid: string | null;
  merchantName: string;
  merchantCity: string;
  /** Id 01: true "11", false "12" (pay once), null leaves it out. */
  reusable: boolean | null;
};

type Field = readonly [id: string, value: string];

const GUI = "br.gov.bcb.pix";
const NO_TXID = "***";
const KEY_LENGTH = 77;
const NAME_LENGTH = 25;
const CITY_LENGTH = 15;

/**
 * Writes a BR Code (EMV MPM TLV with CRC16, as in the Central Bank's BR Code manual).
 *
 * Names and text are folded to ASCII and cut to fit. Throws RangeError when an amount, key, url or txid does not fit,
 * because a cut one would send the money elsewhere.
 */
export function writeBrCode(code: Pick<BrCode, "merchantName" | "merchantCity"> & Partial<BrCode>): string {
  const { key, url, recurrenceUrl, amount, txid, reusable } = code;
  if (key && url) throw new RangeError("A BR Code has a key or a url, not both");
  if (!key && !url && !recurrenceUrl) throw new RangeError("A BR Code needs a key or a url");

  const initiation: Field[] = typeof reusable === "boolean" ? [["01", reusable ? "11" : "12"]] : [];
  const value: Field[] = typeof amount === "number" ? [["54", writeAmount(amount)]] : [];
  const recurrence: Field[] = recurrenceUrl ? [["80", pixTemplate([["25", address(recurrenceUrl)]])]] : [];
  const head = write([
    ["00", "01"],
    ...initiation,
    ["26", pixTemplate(receiver(code))],
    ["52", "0000"],
    ["53", "986"],
    ...value,
    ["58", "BR"],
    ["59", foldToAscii(code.merchantName, NAME_LENGTH) || "NAO INFORMADO"],
    ["60", foldToAscii(code.merchantCity, CITY_LENGTH) || "BRASIL"],
    ["62", write([["05", writeTxid(txid ?? null)]])],
    ...recurrence,
  ]);
  return `${head}6304${crc16(`${head}6304`)}`;
}

/**
 * Parses a BR Code. Throws SyntaxError, like JSON.parse, for a wrong CRC, a length that does not add up, a repeated or
 * missing field, and another currency or country.
 */
export function parseBrCode(code: string): BrCode {
  if (!/^[\x20-\x7e]+$/.test(code)) throw new SyntaxError("BR Code has characters outside ASCII");
  const body = code.slice(0, -4);
  if (!body.endsWith("6304") || crc16(body) !== code.slice(-4)) throw new SyntaxError("BR Code has a wrong CRC");

  const fields = read(code);
  if (!code.startsWith("000201")) throw new SyntaxError("BR Code does not begin with 000201");
  demand(fields, "52", /^\d{4}$/);
  demand(fields, "53", /^986$/);
  demand(fields, "58", /^BR$/);
  const pix = pixTemplateOf(fields, 26, 51) ?? refuse("BR Code is not a Pix");
  const recurrence = pixTemplateOf(fields, 80, 99);
  const key = pix.get("01") ?? null;
  const url = pix.get("25") ?? null;
  const recurrenceUrl = recurrence ? demand(recurrence, "25", /./) : null;
  if (key !== null && url !== null) throw new SyntaxError("BR Code has both a key and a url");
  if (!key && !url && !recurrenceUrl) throw new SyntaxError("BR Code has neither a key nor a url");
  const txid = demand(read(demand(fields, "62", /./)), "05", /^([a-zA-Z0-9]{1,25}|\*\*\*)$/);
  const initiation = fields.has("01") ? demand(fields, "01", /^1[12]$/) : null;
  return {
    key,
    url,
    recurrenceUrl,
    text: pix.get("02") ?? null,
    amount: fields.has("54") ? readAmount(demand(fields, "54", /./)) : null,
    txid: txid === NO_TXID ? null : txid,
    merchantName: demand(fields, "59", /^.{1,25}$/),
    merchantCity: demand(fields, "60", /^.{1,15}$/),
    reusable: initiation === null ? null : initiation === "11",
  };
}

/** CRC-16/CCITT-FALSE (polynomial 0x1021, initial 0xFFFF) of ASCII text, as four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let index = 0; index < text.length; index++) {
    const entry = CRC_TABLE[((crc >> 8) ^ text.charCodeAt(index)) & 0xff] ?? 0;
    crc = ((crc << 8) ^ entry) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

function receiver({ key, url, text }: Partial<BrCode>): Field[] {
  if (url) return [["25", address(url)]];
  if (!key) return [];
  if (key.length > KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) throw new RangeError("Pix key does not fit a BR Code");
  // Template 26 holds 99 characters in all, so the text gets those that the key leaves.
  const room =
    99 -
    write([
      ["00", GUI],
      ["01", key],
    ]).length -
    4;
  const words = text && room > 0 ? foldToAscii(text, room) : "";
  return words
    ? [
        ["01", key],
        ["02", words],
      ]
    : [["01", key]];
}

function address(url: string) {
  if (url.length > KEY_LENGTH || !/^[\x21-\x7e]+$/.test(url) || url.includes("://")) {
    throw new RangeError("A BR Code's url has no scheme and at most 77 ASCII characters");
  }
  return url;
}

const pixTemplate = (fields: readonly Field[]) => write([["00", GUI], ...fields]);

function write(fields: readonly Field[]) {
  let text = "";
  for (const [id, value] of fields) text += id + String(value.length).padStart(2, "0") + value;
  return text;
}

function writeAmount(cents: number) {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_AMOUNT) {
    throw new RangeError(`A BR Code's amount is 1 to ${MAX_AMOUNT} cents`);
  }
  return decimal(cents);
}

function writeTxid(txid: string | null) {
  if (txid !== null && !/^[a-zA-Z0-9]{1,25}$/.test(txid)) throw new RangeError("txid is 1 to 25 letters or digits");
  return txid ?? NO_TXID;
}

function readAmount(text: string) {
  const [, whole, decimals = ""] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? refuse("BR Code has a bad amount");
  const cents = Number(`${whole}${decimals.padEnd(2, "0")}`);
  // Some codes write zero for an amount that the payer chooses or that only the PSP knows.
  return cents === 0 ? null : cents;
}

/** Splits TLV text into its fields. Their lengths must add up to the whole text. */
function read(text: string) {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const [, id = "", length] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? refuse("BR Code is cut short");
    const end = at + 4 + Number(length);
    if (end > text.length) throw new SyntaxError(`BR Code field ${id} is longer than what is left`);
    if (end === at + 4) throw new SyntaxError(`BR Code field ${id} is empty`);
    if (fields.has(id)) throw new SyntaxError(`BR Code has field ${id} twice`);
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

function demand(fields: Map<string, string>, id: string, pattern: RegExp) {
  const value = fields.get(id);
  if (value === undefined || !pattern.test(value)) throw new SyntaxError(`BR Code has no valid field ${id}`);
  return value;
}

/** The template that names Pix, among the ids for payment schemes. The other templates must be well formed. */
function pixTemplateOf(fields: Map<string, string>, first: number, last: number) {
  let found: Map<string, string> | undefined;
  for (const [id, value] of fields) {
    if (Number(id) < first || Number(id) > last) continue;
    const template = read(value);
    if (template.get("00")?.toLowerCase() !== GUI) continue;
    if (found) throw new SyntaxError("BR Code names Pix twice");
    found = template;
  }
  return found;
}

function refuse(reason: string): never {
  throw new SyntaxError(reason);
}
