import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { onStop } from "../../bin/lifecycle.mjs";
import { signatureFault } from "../signature.mjs";

/** Longer than a delivery waits for its answer. */
const HANG_MS = 12_000;
const FAILS_ONE_IN = 25;
const HANGS_ONE_IN = 400;

/**
 * Three receivers at one port. `cash` and `event` are the seller's, one for each contract. They answer after a moment,
 * and sometimes fail or hang at a delivery's first attempt, never at a later one. `probe` is the other seller's and
 * always answers at once.
 */
export async function openReceivers(port, records) {
  const receivers = Object.fromEntries(
    ["cash", "event", "probe"].map((name) => [name, { name, secret: undefined, got: new Map(), sales: new Map() }]),
  );
  const state = { isQuiet: false };
  const faults = [];
  const server = createServer(async (request, response) => {
    const receiver = receivers[request.url.slice(1)];
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender was killed during its request, so nothing was received.
    }
    const body = Buffer.concat(chunks).toString();
    const fault = faultOf(receiver, request.headers, body);
    if (fault) faults.push({ receiver: receiver.name, id: request.headers["webhook-id"], fault });
    const status = await answer(note(receiver, request.headers, body), receiver, state);
    records.received({ receiver: receiver.name, id: request.headers["webhook-id"], status, hash: sha256(body) });
    if (status === undefined) return response.destroy();
    if (status < 300 && !response.destroyed) markGood(receiver, request.headers["webhook-id"]);
    response.writeHead(status).end();
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  onStop(() => {
    server.close();
    server.closeAllConnections();
  });
  return { ...receivers, state, faults, urlOf: (name) => `http://localhost:${port}/${name}` };
}

/** Returns what was received under this id, with this request counted. */
function note({ got, sales }, headers, body) {
  const id = headers["webhook-id"];
  const { data, transaction } = JSON.parse(body);
  const sale = transaction
    ? { id: transaction.reference_id, amount: transaction.amount, status: transaction.status }
    : { id: data.id, amount: data.amount, status: data.status };
  const entry = got.get(id) ?? { id, sale, at: performance.now(), count: 0, good: 0, bodies: new Set() };
  entry.count += 1;
  entry.bodies.add(sha256(body));
  got.set(id, entry);
  if (!sales.has(sale.id)) sales.set(sale.id, entry);
  return entry;
}

function markGood({ got }, id) {
  got.get(id).good += 1;
}

/** The status to answer with, or undefined to send no answer. */
async function answer({ count }, { name }, { isQuiet }) {
  if (name === "probe") return 200;
  await sleep(5 + Math.random() * 100);
  if (isQuiet || count > 1) return 200;
  if (Math.random() < 1 / FAILS_ONE_IN) return 500;
  if (Math.random() >= 1 / HANGS_ONE_IN) return 200;
  await sleep(HANG_MS);
  return undefined;
}

function faultOf({ name, secret }, headers, body) {
  if (!secret) return undefined;
  return signatureFault({ contract: name === "cash" ? "cash" : "event", secret }, headers, body);
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
