import { createServer } from "node:net";
import pg from "pg";
import { portOf } from "../bin/settings.mjs";

// A pooler of transactions, as PgBouncer ≥ 1.21 is in its mode `transaction`, as far as this project's client speaks the
// protocol: many connections share few of the server's, from the start of each transaction to its end. It refuses
// start-up options, prepares a named statement wherever it is used, and answers LISTEN without ever notifying.

/** @typedef {{ name: string, rest: Buffer }} Statement Its name on every server connection; its text and types. */
/** @typedef {{ data: (one: Buffer) => void, gone: () => void }} Client */
/**
 * @typedef {object} Server One connection to the server.
 * @property {import("node:net").Socket} stream
 * @property {Set<string>} prepared
 * @property {{ name?: string, isHidden: boolean }[]} parsing What its answers to Parse belong to.
 * @property {Client} [client] Whose it is at the moment.
 */
/** @typedef {{ all: Set<Server>, take: () => Promise<Server>, give: (server: Server) => void }} Pool */
/** @typedef {{ pools: Map<string, Pool>, names: Map<string, string>, target: number, serverConnections: number }} Place */

const SYNC = 0x53;
const QUERY = 0x51;
const PARSE = 0x50;
const BIND = 0x42;
const DESCRIBE = 0x44;
const PASSWORD = 0x70;
const TERMINATE = 0x58;
const READY = 0x5a;
const PARSED = 0x31;
const NOTIFICATION = 0x41;
const IDLE = 0x49;
const CANCEL = 80_877_102;
const TLS = 80_877_103;

/**
 * Serves the database server at a port of this machine, until `close` is called.
 *
 * @param {{ port: number, target: number, serverConnections: number }} places `target` is the server's port; so many
 *   connections to it has each user of each database.
 */
export async function openPooler({ port, target, serverConnections }) {
  /**
   * The connections to the server, by database, user and password.
   *
   * @type {Place["pools"]}
   */
  const pools = new Map();
  /**
   * The name of each statement on every server connection, by its text and types.
   *
   * @type {Place["names"]}
   */
  const names = new Map();
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();

  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    serve(socket, { pools, names, target, serverConnections });
  });
  await new Promise((done, fail) =>
    listener.once("error", fail).listen({ port, host: "127.0.0.1" }, () => done(undefined)),
  );
  return {
    port: portOf(listener),
    async close() {
      const closed = new Promise((done) => listener.close(done));
      for (const socket of sockets) socket.destroy();
      for (const pool of pools.values()) for (const { stream } of pool.all) stream.destroy();
      await closed;
    },
  };
}

/**
 * Serves one client.
 *
 * @param {import("node:net").Socket} socket
 * @param {Place} place
 */
function serve(socket, { pools, names, target, serverConnections }) {
  /** @type {Map<string, Statement>} */
  const statements = new Map();
  /** @type {Pool | undefined} */
  let pool;
  /** @type {Server | undefined} */
  let server;
  /** @type {Record<string, string | undefined> | undefined} */
  let started;
  let owed = 0;
  /** @type {Buffer[]} */
  let batch = [];
  /**
   * What is done for this client, one thing after the other.
   *
   * @type {Promise<unknown>}
   */
  let turn = Promise.resolve();

  /** @param {Buffer | string} data */
  const write = (data) => socket.writable && socket.write(data);
  /** @param {string} code @param {string} text */
  const refuse = (code, text) => {
    write(message("E", Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)));
    socket.end();
  };

  socket.on("close", () => {
    // What the server does for a client that is gone is ended with the connection.
    if (server) server.stream.destroy();
    server = undefined;
  });

  /** @param {Buffer} body */
  const start = (body) => {
    const code = body.readInt32BE(4);
    if (code === TLS) return write("N");
    if (code === CANCEL) return socket.end();
    const words = body.toString("utf8", 8).split("\0");
    started = Object.fromEntries(words.flatMap((word, nth) => (nth % 2 === 0 && word ? [[word, words[nth + 1]]] : [])));
    if ("options" in started) return refuse("08P01", "unsupported startup parameter: options");
    write(message("R", int(3))); // the password itself, with which this signs in at the server
  };

  /** @param {string} password */
  const signIn = async (password) => {
    const { user, database } = started ?? {};
    const key = JSON.stringify([database, user, password]);
    const config = { host: "127.0.0.1", port: target, user, database, password, application_name: "pooler" };
    pool = pools.get(key) ?? makePool(config, serverConnections);
    pools.set(key, pool);
    const first = await pool.take();
    pool.give(first);
    const parameters = { server_version: "18.0", client_encoding: "UTF8", standard_conforming_strings: "on" };
    const status = Object.entries(parameters).map(([name, value]) => message("S", Buffer.from(`${name}\0${value}\0`)));
    write(
      Buffer.concat([message("R", int(0)), ...status, message("K", Buffer.alloc(8)), message("Z", Buffer.from("I"))]),
    );
  };

  /**
   * Sends what the client wrote up to a Sync or a query, on a server connection that is its own meanwhile.
   *
   * @param {Buffer[]} messages
   */
  const send = async (messages) => {
    if (!pool) return refuse("28000", "no password was sent");
    if (!server) {
      const taken = await pool.take();
      if (socket.destroyed) return pool.give(taken);
      taken.client = { data: (one) => receive(taken, one), gone: () => socket.destroy() };
      server = taken;
    }
    owed += 1;
    for (const one of messages) server.stream.write(translate(server, one));
  };

  /**
   * Statements get the same name on every server connection. One that is prepared there already is not again.
   *
   * @param {Server} on
   * @param {Buffer} one
   */
  const translate = (on, one) => {
    const body = one.subarray(5);
    if (one[0] === PARSE && body[0] !== 0) {
      const end = body.indexOf(0);
      const rest = body.subarray(end + 1);
      const key = rest.toString("latin1");
      const name = names.get(key) ?? `pooled_${names.size}`;
      names.set(key, name);
      statements.set(body.toString("utf8", 0, end), { name, rest });
      if (!on.prepared.has(name)) return prepare(on, { name, rest }, false);
      write(message("1", Buffer.alloc(0)));
      return Buffer.alloc(0);
    }
    if (one[0] === PARSE) on.parsing.push({ isHidden: false });
    const at = one[0] === BIND ? body.indexOf(0) + 1 : one[0] === DESCRIBE && body[0] === SYNC ? 1 : -1;
    if (at < 0 || body[at] === 0) return one;
    const end = body.indexOf(0, at);
    const statement = statements.get(body.toString("utf8", at, end));
    if (!statement) return one;
    const parts = [body.subarray(0, at), Buffer.from(statement.name), body.subarray(end)];
    const named = message(String.fromCharCode(one[0] ?? 0), Buffer.concat(parts));
    const isKnown = on.prepared.has(statement.name) || on.parsing.some(({ name }) => name === statement.name);
    return isKnown ? named : Buffer.concat([prepare(on, statement, true), named]);
  };
  /** @param {Server} on @param {Statement} statement @param {boolean} isHidden */
  const prepare = (on, { name, rest }, isHidden) => {
    on.parsing.push({ name, isHidden });
    return message("P", Buffer.concat([Buffer.from(`${name}\0`), rest]));
  };

  /** @param {Server} from @param {Buffer} one */
  const receive = (from, one) => {
    if (one[0] === NOTIFICATION) return;
    if (one[0] === PARSED) {
      const { name, isHidden } = from.parsing.shift() ?? {};
      if (name) from.prepared.add(name);
      if (isHidden) return;
    }
    const isReady = one[0] === READY;
    if (isReady) {
      owed -= 1;
      from.parsing = [];
      if (owed === 0 && one[5] === IDLE) {
        server = undefined;
        write(one);
        return pool?.give(from);
      }
    }
    write(one);
  };

  /** @param {Buffer} one */
  const take = (one) => {
    if (one[0] === PASSWORD) return signIn(one.toString("utf8", 5, one.length - 1));
    if (one[0] === TERMINATE) return socket.end();
    if (one[0] === QUERY && /^\s*listen\b/i.test(one.toString("utf8", 5))) {
      return write(Buffer.concat([message("C", Buffer.from("LISTEN\0")), message("Z", Buffer.from("I"))]));
    }
    batch.push(one);
    if (one[0] !== SYNC && one[0] !== QUERY) return;
    const whole = batch;
    batch = [];
    return send(whole);
  };

  onMessages(
    socket,
    () => !started,
    (one) => {
      if (!started) return start(one);
      turn = turn
        .then(async () => void (await take(one)))
        .catch((error) => refuse(error.code ?? "08006", error.message));
    },
  );
}

/**
 * Connections to the server: whoever takes one waits while all are taken.
 *
 * @param {pg.ClientConfig} config
 * @param {number} max
 * @returns {Pool}
 */
function makePool(config, max) {
  /** @type {Set<Server>} */
  const all = new Set();
  /** @type {Server[]} */
  const idle = [];
  /** @type {{ done: (server: Server) => void, fail: (error: unknown) => void }[]} */
  const waiting = [];
  let opening = 0;

  const open = async () => {
    opening += 1;
    const client = new pg.Client(config);
    client.on("error", () => {});
    try {
      await client.connect();
    } finally {
      opening -= 1;
    }
    const { stream } = /** @type {{ connection: { stream: import("node:net").Socket } }} */ (
      /** @type {unknown} */ (client)
    ).connection;
    stream.removeAllListeners("data");
    /** @type {Server} */
    const server = { stream, prepared: new Set(), parsing: [], client: undefined };
    all.add(server);
    onMessages(
      stream,
      () => false,
      (one) => server.client?.data(one),
    );
    stream.on("close", () => {
      all.delete(server);
      if (idle.includes(server)) idle.splice(idle.indexOf(server), 1);
      server.client?.gone();
      next();
    });
    return server;
  };
  const next = () => {
    while (idle.length > 0 || all.size + opening < max) {
      const first = waiting.shift();
      if (!first) return;
      const server = idle.pop();
      if (server) first.done(server);
      else open().then(first.done, first.fail).finally(next);
    }
  };
  return {
    all,
    take: () =>
      new Promise((done, fail) => {
        waiting.push({ done, fail });
        next();
      }),
    give(server) {
      server.client = undefined;
      if (!server.stream.destroyed) idle.push(server);
      next();
    },
  };
}

/**
 * Calls `act` with each whole message, of which only the first of a client has no type.
 *
 * @param {import("node:net").Socket} stream
 * @param {() => boolean} isUntyped
 * @param {(one: Buffer) => void} act
 */
function onMessages(stream, isUntyped, act) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  stream.on("data", (data) => {
    rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    for (;;) {
      const at = isUntyped() ? 0 : 1;
      if (rest.length < at + 4) return;
      const length = at + rest.readInt32BE(at);
      if (rest.length < length) return;
      const one = rest.subarray(0, length);
      rest = rest.subarray(length);
      act(one);
    }
  });
}

/** @param {string} type @param {Buffer} body */
function message(type, body) {
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body]);
}

/** @param {number} value */
function int(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
