import { z } from "zod";
import { defineSubject } from "@/lib/events/subject";
import { cashBody, eventBody, legacyBody } from "@/lib/transactions/bodies";
import { type Sale, saleOf } from "@/lib/transactions/sale";

const isPix = ({ method }: Sale) => method === "pix";
const isCard = ({ method }: Sale) => method === "card";

/** What `transactions.callback` holds. */
const Callback = z.object({ url: z.string() });

/**
 * Events about sales (operations.md section 7). `all` is the whole cash contract, `transaction` is Pix and card sales,
 * `card` is card sales alone under their own name. A sale's own callback (`webhook_url`, `postbackUrl`) gets changes
 * only, because the legacy contract cannot say that a sale was merely created.
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
  callbackUrl: ({ callback }) => Callback.safeParse(callback).data?.url ?? null,
  bodies: { cash: cashBody, event: eventBody, legacy: legacyBody },
});
