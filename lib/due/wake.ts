import { onCommit, type Query, runPrepared, type Tx, withoutQueue } from "@/lib/db";

/** What background work waits for: a table that is its queue got a row that is due. */
export const topics = [
  "watches",
  "events",
  "deliveries",
  "notices",
  "links",
  "mails",
  "calls",
  "clocks",
  "tracking",
] as const;
export type Topic = (typeof topics)[number];

/** The shortest time between two notifications that this process sends. */
const EVERY_MS = 100;

/** The channel of PostgreSQL's NOTIFY; the payload is a topic. */
export const CHANNEL = "wake";

type Listener = () => void;

/** Pages and API are two bundles in one process, so what must exist once is kept on the global object. */
const shared = globalThis as typeof globalThis & { repasseWake?: Map<Topic, Set<Listener>> };
const listeners = () => (shared.repasseWake ??= new Map(topics.map((topic) => [topic, new Set()])));

/**
 * Call after the commit of a row that is due at once. The work of this process looks at once; where this process has
 * none, the workers are notified, outside every transaction, because a NOTIFY takes one lock of the whole database at
 * commit. A notification may be lost: all that waits also looks every few seconds.
 */
export function wake(topic: Topic): void {
  const here = listeners().get(topic);
  if (here?.size) wakeHere(topic);
  else announce(topic);
}

/** Wakes only what waits in this process. */
export function wakeHere(topic: Topic): void {
  for (const listener of listeners().get(topic) ?? []) listener();
}

/** Calls `listener` at each wake until the returned function is called. */
export function onWake(topic: Topic, listener: Listener): () => void {
  listeners().get(topic)?.add(listener);
  return () => void listeners().get(topic)?.delete(listener);
}

const announced = new Set<Topic>();
let sentAt = Number.NEGATIVE_INFINITY;

function announce(topic: Topic) {
  if (announced.size === 0) setTimeout(send, Math.max(0, sentAt + EVERY_MS - performance.now())).unref();
  announced.add(topic);
}

function send() {
  const some = [...announced];
  announced.clear();
  sentAt = performance.now();
  const text = "select pg_notify($1, topic) from unnest($2::text[]) topic";
  withoutQueue(() => runPrepared("wake", text, [CHANNEL, some])).catch(() => {});
}

/** Wakes a topic when the transaction has committed. */
export const wakeOnCommit = (tx: Tx | Query, topic: Topic) => onCommit(tx, () => wake(topic));
