import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";

/** How many sales one set has. */
const LIMIT = 500;

type Sale = { accountId: string; id: string };

type Work<More> = {
  /** For the log. */
  name: string;
  /** The column that says when a sale is due, on its account's clock. */
  column: "expires_at" | "settle_at";
  /** SQL: whether the sale `t` is still to be done. */
  isOpen: string;
  /** SQL: what else is read of the sale `t`, each with a comma before it. */
  more?: string;
  /** Does a set of sales, in the transaction that found them. */
  act(query: Query, sales: readonly (Sale & More)[]): Promise<unknown>;
};

/** Makes a loop's function, which does one set of the sales that are due (`dueInSets`). With `accountId`, it does one account's. */
export const salesDue = <More = unknown>({ name, column, isOpen, more, act }: Work<More>) =>
  dueInSets<Sale & More>({
    name,
    rows: {
      table: "transactions",
      key: { account_id: "uuid", id: "uuid" },
      ...{ at: `t.${column}`, only: isOpen, clock: { index: "open" } },
    },
    columns: more ?? "",
    limit: LIMIT,
    act,
  });
