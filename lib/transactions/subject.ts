import { z } from "zod";
import { defineSubject } from "@/lib/events/subject";
import { methodNames, methods } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { cashBody, eventBody, legacyBody } from "@/lib/transactions/bodies";
import { type Sale, saleOf } from "@/lib/transactions/sale";

const isCash = ({ method }: Sale) => methods[method].cash !== null;

/** What some webhooks register for to get only sales of one method. */
const ownSubscriptions = (change: "created" | "updated") =>
  methodNames.flatMap((name) => {
    const { ownEvent } = methods[name];
    const when = ({ method }: Sale) => method === name;
    return ownEvent
      ? [{ registrations: [ownEvent], contract: "event" as const, name: `${ownEvent}.${change}`, when }]
      : [];
  });

/** The content of `transactions.callback`. */
const Callback = z.object({ url: z.string() });

/**
 * Events about sales. `all` is the whole cash contract, `transaction` is sales of every method, and `card` is only card
 * sales, under a name of their own. A sale's own callback (`webhook_url`, `postbackUrl`) gets only
 * changes, because the legacy contract has no form for a creation.
 */
export const transaction = defineSubject({
  read: saleOf,
  events: {
    "transaction.created": {
      subscriptions: [
        { registrations: ["cashin", "all"], contract: "cash", name: "cashin.create", when: isCash },
        { registrations: ["transaction"], contract: "event", name: "transaction.created" },
        ...ownSubscriptions("created"),
      ],
    },
    "transaction.updated": {
      subscriptions: [
        { registrations: ["cashin", "all"], contract: "cash", name: "cashin.update", when: isCash },
        { registrations: ["transaction"], contract: "event", name: "transaction.updated" },
        ...ownSubscriptions("updated"),
      ],
      callback: "legacy",
    },
  },
  productOf: ({ productId }) => productId,
  aboutOf: ({ id, clientName, description, amount }) => ({
    name: clientName ?? description ?? null, // an event keeps no nulls
    amount: decimal(amount),
    records: [{ subject: "transaction", id }],
  }),
  callbackUrl: ({ callback }) => Callback.safeParse(callback).data?.url ?? null,
  bodies: { cash: cashBody, event: eventBody, legacy: legacyBody },
});
