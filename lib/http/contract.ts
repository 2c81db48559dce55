import type { z } from "zod";
import type { Scope } from "@/lib/auth/scopes";
import type { ErrorCode } from "@/lib/errors";
import type { limits } from "@/lib/rate-limit";
import type { Feature } from "@/prisma/client/enums";

/**
 * Who may call: `account`: an access token or the dashboard's session; `legacy`: an access token or an API key;
 * `public_key`: a page that the key's owner has listed; `staff`: a session of the operator's staff; `none`: anybody.
 */
export type Authentication = "account" | "legacy" | "public_key" | "staff" | "none";

/** What an endpoint promises. The same object validates requests, shapes answers and becomes OpenAPI. */
export type Contract = {
  summary: string;
  tag: string;
  /** `account` where nothing is said. */
  auth?: Authentication;
  /** Without authentication: the limit of which the caller's address takes a place, before the body is read. */
  limit?: keyof typeof limits;
  /** How large a body may be; 1 MB where nothing is said, far less where anybody may call. */
  maxBytes?: number;
  /** All that the caller must have. */
  scopes?: readonly Scope[];
  feature?: Feature;
  /** What the look-up of the caller brings along, so that the route needs no round trip of its own. */
  brings?: "balance";
  /** A live account is answered as if the path did not exist. */
  sandboxOnly?: boolean;
  /** Path parameters that are record ids: one that is no UUID names nothing, which is this error. */
  ids?: Record<string, ErrorCode>;
  /** Whether an Idempotency-Key means anything: not where a repeat may make another, and no answer may be kept. */
  takesKey?: boolean;
  /** Whether the answer shows a secret, which a repeat under its key shows only to the caller that got it first. */
  showsSecret?: boolean;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether a body may hold a card's number and CVV. Everywhere else they are `card_data_not_accepted`. */
  takesCards?: boolean;
  /** Whether a write is done for an account that has stored all that it may: it serves money that is there, or keeps little. */
  evenIfFull?: boolean;
  status?: 200 | 201 | 202;
  response: z.ZodType;
  /** What the verb throws. What follows from the rest of the contract (`codesOf`) need not be repeated. */
  errors?: readonly ErrorCode[];
};

/** Whether a key of a request with this method means anything: keys belong to accounts. */
export const takesKey = ({ auth = "account", takesKey: may = true }: Contract, method: string) =>
  may && ["POST", "PATCH"].includes(method) && ["account", "legacy"].includes(auth);

/** What authentication fails with, each of its ways. */
const authenticationCodes: Record<Authentication, readonly ErrorCode[]> = {
  account: ["rate_limit_exceeded", "unauthorized"],
  legacy: ["rate_limit_exceeded", "unauthorized"],
  staff: ["rate_limit_exceeded", "unauthorized"],
  public_key: ["public_rate_limit_exceeded", "invalid_public_key", "public_origin_refused"],
  none: ["rate_limit_exceeded"],
};

/** Every code that a request with this method can be refused with. */
export function codesOf(contract: Contract, method: string): ReadonlySet<ErrorCode> {
  const { auth = "account" } = contract;
  const reads = method === "GET";
  const storesForCaller = !["GET", "DELETE"].includes(method) && !["staff", "none"].includes(auth);
  const when = (condition: unknown, ...codes: ErrorCode[]) => (condition ? codes : []);
  return new Set([
    ...(contract.errors ?? []),
    ...authenticationCodes[auth],
    ...when(true, "internal", "unavailable"),
    ...when(contract.scopes, "insufficient_scope"),
    ...when(auth === "account", "account_changed"),
    ...when(["account", "staff"].includes(auth) && !reads, "origin_not_allowed"),
    ...when(takesKey(contract, method), "validation_failed", "idempotency_key_reused", "idempotency_in_progress"),
    ...when(contract.body ?? contract.query, "validation_failed"),
    ...when(!reads, "invalid_json", "payload_too_large", "unsupported_media_type"),
    ...when(!reads && !contract.takesCards, "card_data_not_accepted"),
    ...when(storesForCaller && !contract.evenIfFull, "storage_limit_reached"),
    ...when(contract.feature, "feature_disabled"),
    ...when(contract.sandboxOnly, "not_found"),
    ...Object.values(contract.ids ?? {}),
  ]);
}
