import { differenceOfRow } from "@/lib/differences/record";
import { defineSubject } from "@/lib/events/subject";
import { decimal } from "@/lib/money";

/** Events about differences, which are for the platform's audit alone: nobody is sent one. */
export const difference = defineSubject({
  read: differenceOfRow,
  events: { "difference.updated": { subscriptions: [] } },
  examples: [],
  productOf: () => null,
  aboutOf: ({ recordId, theirAmount, ourAmount }) => {
    const amount = theirAmount ?? ourAmount;
    return { name: recordId, amount: amount === null ? null : decimal(amount), records: [] };
  },
  bodies: {},
});
