// What a delivery costs without a database: a body is signed twice, as a delivery is, and posted over kept connections.
import { createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";

const { BODY, SINK, CONNECTIONS } = process.env;
const TOKEN = "x".repeat(43);
const pool = new Pool(SINK, { connections: Number(CONNECTIONS) });

async function post() {
  const [id, seconds] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
  const mac = (encoding, text) => createHmac("sha256", TOKEN).update(text).digest(encoding);
  const { body } = await pool.request({
    method: "POST",
    path: "/hook",
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...{ "webhook-id": id, "webhook-timestamp": seconds, "x-syncpay-delivery": randomUUID() },
      "webhook-signature": `v1,${mac("base64", `${id}.${seconds}.${BODY}`)}`,
      "x-syncpay-signature": `t=${seconds},v1=${mac("hex", `${seconds}.${BODY}`)}`,
    },
    body: BODY,
  });
  await body.text();
}

process.on("message", async (count) => {
  let left = count;
  const send = async () => {
    while (left-- > 0) await post();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Number(CONNECTIONS) }, send));
  process.send({ kind: "done", perSecond: count / ((performance.now() - startedAt) / 1000) });
});
process.send({ kind: "ready" });
