import type { z } from "zod";
import type { Scope, StaffScope } from "@/lib/auth/scopes";
import type { ErrorCode } from "@/lib/errors";
import type { limits } from "@/lib/rate-limits/spend-slot";
import type { Feature } from "@/prisma/client/enums";

/**
 * Who may call. `account`: an access token or the dashboard's session; `session`: that session alone, for what only a
 * person may do; `legacy`: an access token or an API key;
 * `public_key`: a page that the key's owner has listed; `staff`: a session of the operator's staff; `person`: whoever is signed in, in what
 * concerns no account; `none`: anybody.
 */
export type Authentication = "account" | "session" | "legacy" | "public_key" | "staff" | "person" | "none";

/** The contract of an endpoint. It validates requests, shapes answers and becomes OpenAPI. */
export type Contract = {
  summary: string;
  /** What a summary has no room for, in CommonMark. */
  description?: string;
  tag: string;
  /** `account` by default. */
  auth?: Authentication;
  /** Without authentication: the limit of which the caller's address spends a slot before the body is read. */
  limit?: keyof typeof limits;
  /** The largest body, 1 MB by default; far less on routes without authentication. */
  maxBytes?: number;
  /** The scopes of which the caller must have all. */
  scopes?: readonly Scope[];
  /** What the caller of the staff must be allowed by a role; to read every role is enough. */
  staffScope?: StaffScope;
  /**
   * Whether a person must have proved just now who they are. A program proves it by its scope, which is named in its
   * credential, and by its networks.
   */
  stepUp?: boolean;
  feature?: Feature;
  /** What the look-up of the caller also reads, so that the route needs no round trip of its own. */
  brings?: "balance";
  /** Whether a live account is answered as if the path did not exist. */
  sandboxOnly?: boolean;
  /** Path parameters that are record ids, each with the error for a value that is no UUID. */
  ids?: Record<string, ErrorCode>;
  /**
   * False where an Idempotency-Key is ignored, because no answer may be kept and a repeat may make another record. True
   * where one counts for the staff: it is kept with those of the account that the parameter `id` names.
   */
  acceptsKey?: boolean;
  /** Whether the answer shows a secret, which a repeat of its key shows only to the caller that got it first. */
  showsSecret?: boolean;
  query?: z.ZodType;
  body?: z.ZodType;
  /**
   * The media types of a body that is a file, in place of `body`: its bytes reach the handler as they came. What they are
   * is for the handler to find out, whatever content type they came under.
   */
  file?: readonly string[];
  /** Whether a body may hold a card's number and CVV. Every other route answers them with `card_data_not_accepted`. */
  acceptsCards?: boolean;
  /**
   * Whether an account at its storage limit may still make this write, which serves existing money or stores little.
   */
  evenIfFull?: boolean;
  /** Whether whoever is signed in may still make this write where the account is closed, because it is not of the account. */
  evenIfClosed?: true;
  /** Why a write leaves no event, although every other one says who changed what. */
  leavesNoEvent?: string;
  status?: 200 | 201 | 202;
  /** Whether the work goes on after this answer, which then has the status 202. */
  goesOn?: (result: never) => boolean;
  response: z.ZodType;
  /** The name of the file, where the answer is a file, CSV or JSON by that name, that is written while it is sent; its response is `CsvLines`. */
  csv?: string;
  /** Whether the answer is a file to be saved: its type, name and bytes (lib/http/attachment.ts). */
  attachment?: true;
  /** The codes that the verb throws. Codes that follow from the rest of the contract (`codesOf`) are left out. */
  errors?: readonly ErrorCode[];
};

/** Whether an Idempotency-Key counts for this method. Keys belong to accounts. */
export const acceptsKey = (
  { auth = "account", acceptsKey: may = ["account", "session", "legacy"].includes(auth) }: Contract,
  method: string,
) => may && ["POST", "PATCH"].includes(method);

/** The codes that each way of authentication fails with. */
const authenticationCodes: Record<Authentication, readonly ErrorCode[]> = {
  account: ["rate_limit_exceeded", "unauthorized", "ip_not_allowed"],
  session: ["rate_limit_exceeded", "unauthorized"],
  legacy: ["rate_limit_exceeded", "unauthorized", "ip_not_allowed"],
  staff: ["rate_limit_exceeded", "unauthorized", "second_factor_required"],
  person: ["rate_limit_exceeded", "unauthorized"],
  public_key: ["public_rate_limit_exceeded", "invalid_public_key", "public_origin_refused"],
  none: ["rate_limit_exceeded"],
};

/** Every code that a request with this method can be refused with. */
export function codesOf(contract: Contract, method: string): ReadonlySet<ErrorCode> {
  const { auth = "account" } = contract;
  const reads = method === "GET";
  const storesForCaller = !["GET", "DELETE"].includes(method) && !["staff", "person", "none"].includes(auth);
  const when = (condition: unknown, ...codes: ErrorCode[]) => (condition ? codes : []);
  return new Set([
    ...(contract.errors ?? []),
    ...authenticationCodes[auth],
    ...when(true, "internal", "unavailable"),
    ...when(contract.scopes ?? contract.staffScope, "insufficient_scope"),
    ...when(contract.stepUp, "step_up_required"),
    ...when(["account", "session"].includes(auth), "account_changed"),
    ...when(["account", "session"].includes(auth) && !reads && !contract.evenIfClosed, "account_closed"),
    ...when(["account", "session", "staff", "person"].includes(auth) && !reads, "origin_not_allowed"),
    ...when(acceptsKey(contract, method), "validation_failed", "idempotency_key_reused", "idempotency_in_progress"),
    ...when(contract.body ?? contract.file ?? contract.query, "validation_failed"),
    ...when(!reads, "invalid_json", "payload_too_large"),
    ...when(!reads && !contract.file, "unsupported_media_type"),
    ...when(!reads && !contract.acceptsCards, "card_data_not_accepted"),
    ...when(storesForCaller && auth !== "public_key", "storage_limit_reached"),
    ...when(contract.feature, "feature_disabled"),
    ...when(contract.sandboxOnly, "not_found"),
    ...Object.values(contract.ids ?? {}),
  ]);
}
