import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { onStop } from "../bin/lifecycle.mjs";
import { registerWebhook } from "./chaos/partner.mjs";
import { signatureFault } from "./signature.mjs";

/** Where webhooks of live sellers go, which `receiver-here.mjs` leads to this machine. Nobody has this address. */
export const RECEIVER = "25.0.0.1";

/**
 * A receiver of the webhooks of many sellers, which answers at once, by TLS where they are live. `got` has when the completion of a sale was first
 * received with right signatures, in ms since 1970 by the sale's id; `faults` has why a signature was wrong.
 */
export async function openReceiver(port, { isLive = false } = {}) {
  const secrets = new Map();
  const [got, faults] = [new Map(), []];
  const receive = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const at = Date.now();
    const body = Buffer.concat(chunks).toString();
    const secret = secrets.get(request.url.slice(1));
    const fault = secret && signatureFault({ contract: "cash", secret }, request.headers, body);
    if (fault) faults.push(fault);
    const { data } = JSON.parse(body);
    if (secret && !fault && data.status === "completed" && !got.has(data.id)) got.set(data.id, at);
    response.writeHead(200).end();
  };
  const [cert, key] = ["server.pem", "server.key"].map((name) => readFileSync(`lib/testing/tls/${name}`));
  const server = isLive ? createSecureServer({ cert, key }, receive) : createServer(receive);
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  onStop(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    got,
    faults,
    /** Registers a webhook for a seller's deposits at the server of this address. */
    async register(url, { accountId, token }) {
      const receiver = `${isLive ? `https://${RECEIVER}` : "http://localhost"}:${port}/${accountId}`;
      const { secret } = await registerWebhook(url, token, { receiver, event: "cashin" });
      secrets.set(accountId, secret);
    },
  };
}
