import { invalid } from "@/lib/errors";
import type { AccountCaller, StaffCaller } from "@/lib/http/authenticate";
import type { Idem } from "@/lib/idempotency";
import { sha256 } from "@/lib/ids";
import { assertNoCardData } from "@/lib/pan/detect";

const KEY = /^[\x21-\x7e]{1,255}$/;

type Keyed = {
  caller: AccountCaller | StaffCaller;
  /** The account that its keys are kept with. */
  accountId: string;
  /** The body as it was sent, or the hash of a file. */
  text: string;
  /** The body's parsed value; undefined for a file. */
  value: unknown;
  render: Idem["render"];
  /** Whether the answer shows a secret. If so, the same call by another caller counts as another request. */
  showsSecret: boolean | undefined;
};

/**
 * The key of a request whose contract `acceptsKey`, or undefined. Throws `validation_failed` for one that is empty, too
 * long or not printable, and `card_data_not_accepted`.
 */
export function readIdem(request: Request, keyed: Keyed): Idem | undefined {
  const { caller, accountId, text, value, render, showsSecret } = keyed;
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!KEY.test(key)) throw invalid({ "Idempotency-Key": ["Use de 1 a 255 caracteres visíveis."] });
  assertNoCardData(key);
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/\/+$/, ""); // clients of the old API send its paths with and without the last slash
  const owner = showsSecret ? ownerOf(caller) : "";
  const hashOf = (body: string) => sha256(`${owner}${request.method} ${path}${search}\n${body}`);
  const valueHash = value === undefined ? undefined : hashOf(sameText(value, text));
  // No key of a seller's has a space, so the staff's are apart from them.
  const kept = caller.kind === "staff" ? `staff ${key}` : key;
  return { accountId, key: kept, requestHash: hashOf(text), ...(valueHash && { valueHash }), render };
}

/**
 * One text for all JSON of the same value: members in order, no blanks. JSON that is nested too deep to be written again
 * is the same only as the same text.
 */
function sameText(value: unknown, text: string): string {
  try {
    return JSON.stringify(value, (_, member: unknown) => (isMembers(member) ? inOrder(member) : member));
  } catch (error) {
    if (error instanceof RangeError) return text;
    throw error;
  }
}

const isMembers = (value: unknown): value is object =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const inOrder = (members: object) => Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The caller with its rights, so that a secret is shown again neither to another caller nor to one with fewer rights.
 */
const ownerOf = (caller: AccountCaller | StaffCaller) => {
  if (caller.kind === "staff") return `staff ${caller.userId}\n`;
  const [clientId, userId] = caller.kind === "session" ? ["", caller.userId] : [caller.clientId, ""];
  return `${clientId} ${userId} ${[...caller.scopes].sort().join(",")}\n`;
};
