import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { forAccount, transactionOverAll } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import { emit } from "@/lib/events/emit";
import { newAlphanumeric, newId } from "@/lib/ids";
import { recordOf } from "@/lib/transactions/sale";
import { paid } from "@/lib/transactions/states";
import { claimDeliveries } from "@/lib/webhooks/claim";
import { type Conditions, deliver } from "@/lib/webhooks/deliver";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import type { Prisma } from "@/prisma/client/client";
import type { TransactionStatus } from "@/prisma/client/enums";

/** A reply of a test's receiver: an answer, nothing ever, a 200 whose body never ends, or the headers that it got. */
export type Reply = Answer | "hang" | "drip" | "echo";
type Answer = { status: number; headers?: Record<string, string>; body?: string; afterMs?: number };

type Received = { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders; body: string };

/** A real HTTP receiver on loopback. It gives its replies in turn, and then the last one again and again. */
export async function receiver(...replies: [Reply, ...Reply[]]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url: path, headers } = request;
    received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const reply = replies[Math.min(received.length, replies.length) - 1];
    if (reply === undefined || reply === "hang") return;
    if (reply === "drip") return void response.writeHead(200).write("a");
    if (reply === "echo") return void response.writeHead(200).end(JSON.stringify(headers));
    const { status, headers: answered, body, afterMs = 0 } = reply;
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    response.writeHead(status, answered).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}

/** A Pix sale as it stands in the database; `changes` are columns. */
export async function makeSale(accountId: string, changes: Partial<Prisma.TransactionUncheckedCreateInput> = {}) {
  const now = new Date();
  return forAccount(accountId, (tx) =>
    tx.transaction.create({
      data: {
        id: newId(),
        accountId,
        method: "pix",
        amount: 1999n,
        fee: 119n,
        net: 1880n,
        txid: newAlphanumeric(25),
        pixCode: "000201…",
        createdAt: now,
        updatedAt: now,
        ...changes,
      },
    }),
  );
}

/** Writes the event that a sale was created (`pending`) or moved on; returns its key. */
export async function happen({ accountId, id }: { accountId: string; id: string }, status: TransactionStatus) {
  const created = status === "pending";
  const [eventId = ""] = await forAccount(accountId, async (tx) => {
    const [{ record } = { record: {} }] = await tx.$queryRawUnsafe<{ record: object }[]>(
      `select ${recordOf("t")} as record from transactions t where account_id = $1::uuid and id = $2::uuid`,
      ...[accountId, id],
    );
    const type = created ? "transaction.created" : "transaction.updated";
    const data = { status, previous_status: created ? null : "pending" };
    const paidAt = paid.includes(status) && { paid_at: new Date() };
    const subject = { subject: "transaction" as const, subjectId: id, record: { ...paidAt, ...record, status } };
    return emit(tx, [{ accountId, type, ...subject, data, occurredAt: new Date() }]);
  });
  return { accountId, eventId };
}

/**
 * Takes one event from the outbox and dispatches it, as the worker does with those that it finds there. Returns the id of
 * the event if it was left for later.
 */
export async function dispatchEvent({ accountId, eventId }: { accountId: string; eventId: string }) {
  const left: string[] = [];
  const where = { accountId_id: { accountId, id: eventId } };
  const event: Happened = await forAccount(accountId, (tx) => tx.event.findUniqueOrThrow({ where }));
  const act = await transactionOverAll(async (query) => {
    const text = "delete from outbox where account_id = $1::uuid and event_id = $2::uuid";
    await query("outbox_forget", text, [accountId, eventId]);
    return dispatchEvents(query, [event], (events) => left.push(...events.map(({ id }) => id)));
  });
  act?.();
  return left;
}

/** Every delivery of an account, oldest first. */
export const deliveriesOf = (accountId: string) =>
  forAccount(accountId, (tx) => tx.delivery.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

/** Every attempt of an account, in order. */
export const attemptsMade = (accountId: string) =>
  forAccount(accountId, (tx) => tx.deliveryAttempt.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

/** Identifies one delivery. */
export type Named = { accountId: string; deliveryId: string };

/** Makes one attempt at a planned delivery, whenever it is due; none at one that is done, waits or is under way. */
export async function deliverOnce({ accountId, deliveryId: id }: Named, conditions?: Conditions) {
  await forAccount(
    accountId,
    (tx) => tx.$executeRaw`
      update deliveries set next_attempt_at = least(next_attempt_at, date_trunc('milliseconds', now()))
      where account_id = ${accountId}::uuid and id = ${id}::uuid and next_attempt_at is not null`,
  );
  for (const claimed of await claimDeliveries(newId(), [{ accountId, id }])) await deliver(claimed, conditions);
}

/** Lets `hours` pass for an account: moves all times of its webhooks and deliveries into the past. */
export async function letPass(accountId: string, hours: number) {
  const past = {
    webhooks: ["failing_since", "disabled_at", "next_probe_at", "previous_token_ends_at"],
    webhook_previous_tokens: ["ends_at"],
    deliveries: ["created_at", "next_attempt_at", "claimed_until"],
    delivery_attempts: ["created_at"],
    delivery_bodies: ["created_at"],
  };
  await forAccount(accountId, async (tx) => {
    for (const [table, columns] of Object.entries(past)) {
      const changes = columns.map((column) => `${column} = ${column} - interval '${hours} hours'`);
      await tx.$executeRawUnsafe(`update ${table} set ${changes.join(", ")}`);
    }
  });
}

/** A webhook's row, even of a removed webhook. */
export const webhookOf = (accountId: string, id: number) =>
  forAccount(accountId, (tx) => tx.webhook.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));
