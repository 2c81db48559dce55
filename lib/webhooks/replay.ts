import type { AccountContext } from "@/lib/accounts/context";
import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Query, queryOf, readFor, type Tx } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { firstIdAt, newId, realTime } from "@/lib/ids";
import { COUNTED } from "@/lib/lists/pagination";
import { boundsOf } from "@/lib/lists/period";
import { iso, isoOrNull } from "@/lib/time/clock";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhook } from "@/lib/webhooks/lock";
import { FIRST_PACE } from "@/lib/webhooks/plan-replays";
import { findWebhook, webhookIdOf } from "@/lib/webhooks/read";
import { LOOKED, nextReplayable, type Range } from "@/lib/webhooks/replayable";
import type { LastReplay, Replay, ReplayAnswer, ReplayInput } from "@/lib/webhooks/schema";
import type { Webhook, WebhookReplay } from "@/prisma/client/client";

type Account = Pick<AccountContext, "id">;

/**
 * Sends the events of a period to a webhook again, under the same event ids: deliveries that exist are made again, and those
 * that never were are made. A loop plans them in sets (`lib/webhooks/plan-replays.ts`). A dry run only counts. Throws
 * `webhook_not_found`, `webhook_disabled`, and `replay_running` where one of this webhook has not ended.
 */
export async function replayWebhook(
  { id: accountId }: Account,
  { id: idText, ...input }: ReplayInput & { id: string },
  { idem }: Intent,
): Promise<ReplayAnswer> {
  const id = webhookIdOf(idText);
  if (input.dry_run) {
    noteRecorded(); // a count changes nothing
    return readFor(accountId, async (tx) => {
      const webhook = assertOn(await findWebhook(tx, accountId, idText));
      return { data: present({ ...(await countedOf(tx, webhook, input)), id: null }) };
    });
  }
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const locked = await lockWebhook(tx, accountId, id);
      if (!locked || locked.deletedAt) throw new AppError("webhook_not_found");
      const webhook = assertOn(locked);
      if (await findRunning(tx, accountId, id)) throw new AppError("replay_running");
      const row = await tx.webhookReplay.create({
        data: {
          ...(await countedOf(tx, webhook, input)),
          id: newId(),
          pace: FIRST_PACE,
          nextAt: await databaseNow(tx),
        },
      });
      const data = present(row);
      const { from, to, only_failed } = data;
      await recordChange(tx, { accountId, subject: "webhook", id, verb: "replayed", after: { from, to, only_failed } });
      return { data };
    }),
  );
}

/** Stops a webhook's replay: what it has planned is still sent. Answers the last one, also where none runs. Throws `webhook_not_found`. */
export const stopReplay = ({ id: accountId }: Account, { id: idText }: { id: string }): Promise<LastReplay> =>
  forAccount(accountId, async (tx) => {
    const id = webhookIdOf(idText);
    const webhook = await lockWebhook(tx, accountId, id);
    if (!webhook || webhook.deletedAt) throw new AppError("webhook_not_found");
    const running = await findRunning(tx, accountId, id);
    if (running) {
      await tx.webhookReplay.update({
        where: { accountId_id: { accountId, id: running.id } },
        data: { isStopped: true, endedAt: await databaseNow(tx) },
      });
      await recordChange(tx, { accountId, subject: "webhook", id, verb: "stopped" });
    }
    noteRecorded(); // of one that has ended nothing changes
    return lastOf(tx, webhook);
  });

/** The last replay of a webhook. Throws `webhook_not_found`. */
export const readReplay = (accountId: string, idText: string): Promise<LastReplay> =>
  readFor(accountId, async (tx) => lastOf(tx, await findWebhook(tx, accountId, idText)));

async function lastOf(tx: Tx, { accountId, id: webhookId }: Webhook): Promise<LastReplay> {
  const row = await tx.webhookReplay.findFirst({ where: { accountId, webhookId }, orderBy: { id: "desc" } });
  return { data: row && present(row) };
}

const findRunning = (tx: Tx, accountId: string, webhookId: number) =>
  tx.webhookReplay.findFirst({ where: { accountId, webhookId, endedAt: null } });

function assertOn(webhook: Webhook): Webhook {
  if (webhook.disabledAt) throw new AppError("webhook_disabled");
  return webhook;
}

/** A replay as it begins. What will happen after now is not meant. */
async function countedOf(tx: Tx, webhook: Webhook, { from, to, only_failed: onlyFailed }: ReplayInput) {
  const { since, until } = boundsOf({ from, to });
  const now = await databaseNow(tx);
  const [fromAt, toAt] = [since ?? now, until && until < now ? until : now];
  if (fromAt >= toAt) throw invalid({ from: [NOT_BEFORE] });
  const range = { after: firstIdAt(fromAt), until: firstIdAt(toAt), onlyFailed };
  const counted = await count(queryOf(tx), webhook, range);
  const { accountId, id: webhookId } = webhook;
  return { accountId, webhookId, fromAt, toAt, onlyFailed, afterId: range.after, ...counted };
}

const NOT_BEFORE = "O início deve ser antes do fim, e não depois de agora.";

/** Counts what a replay plans, of the first so many events of its range. */
async function count(query: Query, webhook: Webhook, range: Range) {
  let [again, missing] = [0, 0];
  let after: string | null = range.after;
  for (let looked = 0; after !== null && looked < COUNTED; looked += LOOKED) {
    const { found, last }: Awaited<ReturnType<typeof nextReplayable>> = await nextReplayable(query, webhook, {
      ...range,
      after,
    });
    const made = found.filter(({ isMissing }) => isMissing).length;
    missing += made;
    again += found.length - made;
    after = last;
  }
  return { again, missing, isExact: after === null };
}

type Shown = Omit<Partial<WebhookReplay>, "id"> &
  Pick<WebhookReplay, "fromAt" | "toAt" | "onlyFailed" | "again" | "missing" | "isExact" | "afterId"> & {
    id: string | null;
  };

const present = (row: Shown): Replay => ({
  id: row.id,
  state: row.id === null ? "dry_run" : !row.endedAt ? "running" : row.isStopped ? "stopped" : "done",
  ...{ from: iso(row.fromAt), to: iso(row.toAt), only_failed: row.onlyFailed },
  ...{ again: row.again, missing: row.missing, total: row.again + row.missing, total_is_exact: row.isExact },
  planned: row.planned ?? 0,
  reached_at: iso(row.endedAt && !row.isStopped ? row.toAt : realTime(row.afterId)),
  ...{ created_at: isoOrNull(row.createdAt ?? null), ended_at: isoOrNull(row.endedAt ?? null) },
});
