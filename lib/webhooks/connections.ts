import type { Client } from "undici";

/** How long after it was made a connection is used again, so that it does not outlive what its name resolves to. */
const AGE_MS = 30_000;
/** How long one is kept that nothing is sent over. */
const IDLE_MS = 4_000;
/** How many are kept without anything under way, of all receivers together. */
const MOST_IDLE = 256;

/** A connection to a receiver; a client has one. */
export type Connection = { client: Client; madeAt: number; isUsed: boolean };

type Idle = Connection & { close: NodeJS.Timeout };

const idle = new Map<string, Idle[]>();
let count = 0;

/** Takes a kept connection of this key, the last used first, or makes one. */
export function takeConnection(key: string, make: () => Client): Connection {
  for (let kept = removeLast(key); kept; kept = removeLast(key)) {
    const { close, ...connection } = kept;
    clearTimeout(close);
    if (performance.now() - connection.madeAt < AGE_MS) return { ...connection, isUsed: true };
    void connection.client.destroy();
  }
  return { client: make(), madeAt: performance.now(), isUsed: false };
}

/** Keeps a connection over which an answer came whole, for the next one of its key. Closes it where too many are kept. */
export function keepConnection(key: string, connection: Connection): void {
  if (count >= MOST_IDLE) return void connection.client.destroy();
  const close = setTimeout(() => {
    remove(key, kept);
    void connection.client.destroy();
  }, IDLE_MS).unref();
  const kept = { ...connection, close };
  idle.set(key, [...(idle.get(key) ?? []), kept]);
  count += 1;
}

function removeLast(key: string): Idle | undefined {
  const last = idle.get(key)?.at(-1);
  if (last) remove(key, last);
  return last;
}

function remove(key: string, one: Idle): void {
  const others = (idle.get(key) ?? []).filter((kept) => kept !== one);
  if (others.length > 0) idle.set(key, others);
  else idle.delete(key);
  count -= 1;
}
