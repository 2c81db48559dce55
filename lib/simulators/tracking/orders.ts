import { z } from "zod";
import { inQueueOf, runPrepared } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { methods } from "@/lib/http/methods";
import { sha256 } from "@/lib/ids";
import { bodyBy } from "@/lib/simulators/guard";

const Sent = z.object({
  transaction: z.object({ reference_id: z.string().max(100), status: z.string().max(50) }).loose(),
});

/** A token that the simulated service does not know, so that a seller sees what a refusal looks like. */
const UNKNOWN = /^invalid/;

/** `…/orders`: keeps the last of each order of whoever has the token, however often it comes. */
export const orders = methods({
  POST: async (request) => {
    const { 1: token } = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (!token || UNKNOWN.test(token)) return json(401, { message: "Token desconhecido." });
    return inQueueOf("simulator", async () => {
      const body = await bodyBy(Sent.loose(), request);
      if (body instanceof Response) return body;
      const { reference_id: id, status } = body.transaction;
      const values = [sha256(token).toString("hex"), id, JSON.stringify(body)];
      const [kept] = await runPrepared<{ received: number }>("simulator-order", KEEP, values);
      return json(200, { order: id, status, received: kept?.received ?? 0 });
    });
  },
});

const KEEP = `insert into simulator_orders (token_hash, order_id, body) values ($1, $2, $3::jsonb)
  on conflict (token_hash, order_id) do update set body = excluded.body, received = simulator_orders.received + 1
  returning received`;
