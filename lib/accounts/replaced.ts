import type { Mode } from "@/prisma/client/enums";

/**
 * SQL: whether the account of `row` is not a sandbox that was reset, whose open records no person of the staff has to decide
 * about any more. No live account ever is.
 */
export const isNotReplaced = (mode: Mode, row: string): string =>
  mode === "live"
    ? "true"
    : `not exists (select from accounts a where a.id = ${row}.account_id and a.former_twin_id is not null offset 0)`;
