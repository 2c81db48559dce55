import { defineSubject } from "@/lib/events/subject";
import { decimal } from "@/lib/money";
import { unmatchedOf } from "@/lib/unmatched/record";

/** Events about unmatched money, which are for histories and audits alone: nobody is sent one. */
export const unmatched = defineSubject({
  read: unmatchedOf,
  events: { "unmatched.updated": { subscriptions: [] } },
  examples: [],
  productOf: () => null,
  aboutOf: ({ amount, saleId }) => ({
    ...{ name: null, amount: decimal(amount) },
    records: saleId === null ? [] : [{ subject: "transaction", id: saleId }],
  }),
  bodies: {},
});
