import { z } from "zod";
import { defineSubject } from "@/lib/events/subject";
import { methodNames, methods } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { cash, event, legacy } from "@/lib/transactions/bodies";
import { saleExamples } from "@/lib/transactions/examples";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import { statusLegacy, statusV2 } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

const isCash = ({ method }: Sale) => methods[method].cash !== null;

/** What some webhooks register for to get only sales of one method. */
const ownSubscriptions = (change: "created" | "updated", isChanged: (data: unknown) => boolean = () => true) =>
  methodNames.flatMap((name) => {
    const { ownEvent } = methods[name];
    const when = ({ method }: Sale, data: unknown) => method === name && isChanged(data);
    return ownEvent
      ? [{ registrations: [ownEvent], contract: "event" as const, name: `${ownEvent}.${change}`, when }]
      : [];
  });

type Data = { status: TransactionStatus; previous_status: TransactionStatus | null };

/**
 * Whether a change is one in words that know no disputes: a sale in dispute is a completed one in them, so that neither the
 * opening of a dispute nor its end without loss changes anything.
 */
const changesIn = (words: Readonly<Record<TransactionStatus, string>>) => (data: unknown) => {
  const { status, previous_status: previous } = data as Data;
  const isOfDispute = status === "disputed" || previous === "disputed";
  return !isOfDispute || !previous || words[status] !== words[previous];
};
const changesV2 = changesIn(statusV2);
const changesLegacy = changesIn(statusLegacy);

/** The content of `transactions.callback`. */
const Callback = z.object({ url: z.string() });

/**
 * Events about sales. `all` is the whole cash contract, `transaction` is sales of every method, and `card` is only card
 * sales, under a name of their own. `cashin_legacy` and a sale's own callback (`webhook_url`, `postbackUrl`) get only
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
        {
          ...{ registrations: ["transaction"], contract: "event", name: "transaction.updated" },
          when: (_, data) => changesV2(data),
        },
        ...ownSubscriptions("updated", changesV2),
        {
          ...{ registrations: ["cashin_legacy"], contract: "legacy", name: "transaction.updated" },
          when: (sale, data) => isCash(sale) && changesLegacy(data),
        },
      ],
      callback: "legacy",
      callbackWhen: changesLegacy,
    },
  },
  productOf: ({ productId }) => productId,
  aboutOf: ({ id, clientName, description, amount }) => ({
    name: clientName ?? description ?? null, // an event keeps no nulls
    amount: decimal(amount),
    records: [{ subject: "transaction", id }],
  }),
  examples: saleExamples,
  callbackUrl: ({ callback }) => Callback.safeParse(callback).data?.url ?? null,
  bodies: { cash, event, legacy },
});
