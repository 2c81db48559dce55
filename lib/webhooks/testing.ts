import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { forAccount, pool } from "@/lib/db";
import { emit } from "@/lib/events";
import { newAlphanumeric, newId } from "@/lib/ids";
import type { Prisma } from "@/prisma/client/client";
import type { TransactionStatus } from "@/prisma/client/enums";

/** What a test's receiver says: an answer, nothing ever, a 200 whose body never ends, or the headers it was sent. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | "hang" | "drip" | "echo";

type Received = { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders; body: string };

/** A real HTTP receiver on loopback for tests. It gives its replies in turn, and then the last one again. */
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
    response.writeHead(reply.status, reply.headers).end(reply.body);
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
        type: "cash_in",
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

/** Tells that a sale was made (`pending`) or moved on, as the verbs do; returns what `webhooks.dispatch` is told. */
export async function happen({ accountId, id }: { accountId: string; id: string }, status: TransactionStatus) {
  const created = status === "pending";
  const eventId = await forAccount(accountId, (tx) =>
    emit(tx, {
      accountId,
      type: created ? "transaction.created" : "transaction.updated",
      subjectId: id,
      data: { status, previous_status: created ? null : "pending" },
      occurredAt: new Date(),
    }),
  );
  return { accountId, eventId };
}

/** Every delivery of an account, oldest first. */
export const deliveriesOf = (accountId: string) =>
  forAccount(accountId, (tx) => tx.delivery.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

/** Every attempt of an account, in order. */
export const attemptsMade = (accountId: string) =>
  forAccount(accountId, (tx) => tx.deliveryAttempt.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

type Job = { key: string; queue_name: string; run_at: Date };

/** The jobs that wait to deliver something of this account. */
export async function deliveryJobs(accountId: string): Promise<Job[]> {
  const keys = (await deliveriesOf(accountId)).map(({ id }) => `webhooks.deliver:${id}`);
  const text = "select key, queue_name, run_at from graphile_worker.jobs where key = any($1) order by id";
  return (await pool().query<Job>(text, [keys])).rows;
}

/** A webhook's row, removed or not. */
export const webhookOf = (accountId: string, id: number) =>
  forAccount(accountId, (tx) => tx.webhook.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));
