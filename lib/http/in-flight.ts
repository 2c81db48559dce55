import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { addressOf } from "@/lib/http/client-address";
import { log } from "@/lib/log";
import { limitKey } from "@/lib/net/address";

/**
 * How many bytes may wait for the other side at once: of answers that it has not taken, and of requests that it sent
 * behind one that is being answered. And how long an answer waits of which nothing is taken.
 */
export const BOUNDS = { process: 32_000_000, address: 8_000_000, socket: 4_000_000, untakenMs: 30_000 };

/** What a waiting request costs, about. */
const REQUEST_BYTES = 4_000;

/** To what part of a bound is cut, so that not each further answer looks at all connections again. */
const CUT_TO = 0.9;

/** How many times an answer is looked at before it has waited for too long. */
const LOOKS = 30;

type Connection = {
  socket: Socket;
  /** What is being answered, or was last. */
  peer: string;
  forwardedFor: string | null;
  isBusy: boolean;
  /** Begins the answers to the requests behind it. */
  queue: (() => void)[];
  isToBeMeasured: boolean;
  /**
   * While it holds bytes: how many, for whom, and since when none was taken, also where what it holds are requests, and
   * since when an answer was there to be taken.
   */
  bytes: number;
  client: Client | undefined;
  taken: number;
  since: number;
  untakenSince: number;
};

/** An address, or an IPv6 /64, with its connections that hold bytes. */
type Client = { key: string; bytes: number; connections: Set<Connection> };

/**
 * Bounds what a server holds for those who do not read, whoever writes the answer. A request is begun when all answers
 * before it on its socket are with the operating system. Where the bytes that wait pass a bound, the connection of which
 * nothing was taken for longest is closed: of the address that passed its own, or of the one that holds most. So nobody
 * is refused or waits because of others. Returns what wraps a server's listeners.
 */
export function boundInFlight(bounds = BOUNDS) {
  const known = new WeakMap<Socket, Connection>();
  const clients = new Map<string, Client>();
  let total = 0;
  let looks: NodeJS.Timeout | undefined;

  function open(socket: Socket): Connection {
    const connection: Connection = {
      ...{ socket, peer: socket.remoteAddress ?? "0.0.0.0", forwardedFor: null, isBusy: false, queue: [] },
      ...{ isToBeMeasured: false, bytes: 0, client: undefined, taken: 0, since: 0, untakenSince: 0 },
    };
    const { write } = socket;
    socket.write = (...given: unknown[]) => {
      measureSoon(connection);
      return write.apply(socket, given as never);
    };
    known.set(socket, connection);
    return connection;
  }

  const oneAtATime =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      const connection = known.get(request.socket) ?? open(request.socket);
      const begin = () => {
        connection.isBusy = true;
        count(connection, 0);
        connection.forwardedFor = forwardedFor(request);
        if (connection.queue.length > 0) measureSoon(connection);
        response.once("close", () => goOn(connection));
        listener(request, response);
      };
      if (!connection.isBusy) return begin();
      connection.queue.push(begin);
      request.socket.pause();
      measureSoon(connection);
    };

  function goOn(connection: Connection) {
    const { socket, queue } = connection;
    connection.isBusy = false;
    if (socket.destroyed) queue.length = 0;
    const next = queue.shift();
    if (!next) return count(connection, 0);
    if (queue.length === 0) socket.resume();
    next();
  }

  /** Bytes that the operating system takes at once are gone when this tick ends. */
  function measureSoon(connection: Connection) {
    if (connection.isToBeMeasured) return;
    connection.isToBeMeasured = true;
    process.nextTick(bound, connection);
  }

  function bound(connection: Connection) {
    connection.isToBeMeasured = false;
    const { socket, queue, bytes } = connection;
    if (bytes === 0 && socket.writableLength === 0 && queue.length === 0) return; // as after nearly every answer
    measure(connection);
    if (connection.bytes > bounds.socket) cut(connection, "its socket holds too much");
    const { client } = connection;
    if (client && client.bytes > bounds.address) cutDown(() => client.bytes, bounds.address, client);
    if (total > bounds.process) cutDown(() => total, bounds.process);
  }

  function cutDown(bytes: () => number, bound: number, client?: Client) {
    for (const { connections } of client ? [client] : clients.values()) for (const each of connections) measure(each);
    if (bytes() <= bound) return;
    while (bytes() > bound * CUT_TO) {
      const holder = client ?? most(clients.values(), ({ bytes }) => bytes);
      const longest = holder && most(holder.connections, ({ since }) => -since);
      if (!longest) return;
      cut(longest, client ? "its address holds too much" : "all hold too much");
    }
  }

  function measure(connection: Connection) {
    const { socket, queue } = connection;
    const waiting = socket.writableLength;
    count(connection, socket.destroyed ? 0 : waiting + queue.length * REQUEST_BYTES);
    const taken = takenOf(socket);
    const isTaken = taken !== connection.taken;
    connection.taken = taken;
    if (isTaken) connection.since = performance.now();
    if (isTaken || waiting === 0) connection.untakenSince = performance.now();
  }

  function count(connection: Connection, bytes: number) {
    if (bytes === connection.bytes) return;
    connection.client ??= clientOf(connection);
    const { client } = connection;
    if (connection.bytes === 0) connection.since = connection.untakenSince = performance.now();
    total += bytes - connection.bytes;
    client.bytes += bytes - connection.bytes;
    connection.bytes = bytes;
    if (bytes > 0) {
      client.connections.add(connection);
      looks ??= setInterval(look, bounds.untakenMs / LOOKS).unref();
      return;
    }
    connection.client = undefined;
    client.connections.delete(connection);
    if (client.connections.size === 0) clients.delete(client.key);
    if (clients.size > 0) return;
    clearInterval(looks);
    looks = undefined;
  }

  function clientOf({ peer, forwardedFor }: Connection): Client {
    const key = limitKey(addressOf(peer, forwardedFor));
    const client = clients.get(key) ?? { key, bytes: 0, connections: new Set() };
    clients.set(key, client);
    return client;
  }

  function look() {
    const latest = performance.now() - bounds.untakenMs;
    for (const { connections } of [...clients.values()]) {
      for (const connection of connections) {
        measure(connection);
        if (connection.untakenSince <= latest) cut(connection, "nothing of it was taken");
      }
    }
  }

  function cut(connection: Connection, why: string) {
    log.info({ why, bytes: connection.bytes }, "a connection was closed before its answer was taken");
    connection.socket.destroy();
    count(connection, 0);
  }

  return oneAtATime;
}

const forwardedFor = ({ headers }: IncomingMessage) => {
  const { "x-forwarded-for": value = null } = headers;
  return value && String(value);
};

/**
 * Changes whenever the operating system took something. Node counts a write as a whole; the queue beneath it, which has
 * no public name, shows how much of a large one is left.
 */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

function most<T>(items: Iterable<T>, of: (item: T) => number): T | undefined {
  let found: T | undefined;
  for (const item of items) if (found === undefined || of(item) > of(found)) found = item;
  return found;
}
