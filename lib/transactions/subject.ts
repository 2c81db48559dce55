import { z } from "zod";
import { defineSubject } from "@/lib/events/subject";
import { decimal } from "@/lib/money";
import { cashBody, eventBody, legacyBody } from "@/lib/transactions/bodies";
import { type Sale, saleOf } from "@/lib/transactions/sale";

const isPix = ({ method }: Sale) => method === "pix";
const isCard = ({ method }: Sale) => method === "card";

/** The content of `transactions.callback`. */
const Callback = z.object({ url: z.string() });

/**
 * Events about sales (operations.md section 7). `all` is the whole cash contract, `transaction` is Pix and card sales,
 * `card` is only card sales, under a name of their own. A sale's own callback (`webhook_url`, `postbackUrl`) gets only
 * changes, because the legacy contract has no form for a creation.
 */
export const transaction = defineSubject({
  read: saleOf,
  events: {
    "transaction.created": {
      subscriptions: [
        { registrations: ["cashin", "all"], contract: "cash", name: "cashin.create", when: isPix },
        { registrations: ["transaction"], contract: "event", name: "transaction.created" },
        { registrations: ["card"], contract: "event", name: "card.created", when: isCard },
      ],
    },
    "transaction.updated": {
      subscriptions: [
        { registrations: ["cashin", "all"], contract: "cash", name: "cashin.update", when: isPix },
        { registrations: ["transaction"], contract: "event", name: "transaction.updated" },
        { registrations: ["card"], contract: "event", name: "card.updated", when: isCard },
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
