import { invalid } from "@/lib/errors";
import type { AccountCaller } from "@/lib/http/authenticate";
import type { Idem } from "@/lib/idempotency";
import { sha256 } from "@/lib/ids";
import { assertNoCardData } from "@/lib/pan/detect";

const KEY = /^[\x21-\x7e]{1,255}$/;

type Keyed = {
  caller: AccountCaller;
  /** The body as it was sent, or the hash of a file. */
  text: string;
  render: Idem["render"];
  /** Whether the answer shows a secret. If so, the same call by another caller counts as another request. */
  showsSecret: boolean | undefined;
};

/**
 * The key of a request whose contract `acceptsKey`, or undefined. Throws `validation_failed` for one that is empty, too
 * long or not printable, and `card_data_not_accepted`.
 */
export function readIdem(request: Request, { caller, text, render, showsSecret }: Keyed): Idem | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!KEY.test(key)) throw invalid({ "Idempotency-Key": ["Use de 1 a 255 caracteres visíveis."] });
  assertNoCardData(key);
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/\/+$/, ""); // clients of the old API send its paths with and without the last slash
  const owner = showsSecret ? ownerOf(caller) : "";
  const requestHash = sha256(`${owner}${request.method} ${path}${search}\n${text}`);
  return { accountId: caller.account.id, key, requestHash, render };
}

/**
 * The caller with its rights, so that a secret is shown again neither to another caller nor to one with fewer rights.
 */
const ownerOf = (caller: AccountCaller) => {
  const [clientId, userId] = caller.kind === "session" ? ["", caller.userId] : [caller.clientId, ""];
  return `${clientId} ${userId} ${[...caller.scopes].sort().join(",")}\n`;
};
