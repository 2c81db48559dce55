import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { onStop } from "../bin/lifecycle.mjs";

const API = "/api/partner/v1";
const CASH_IN = JSON.stringify({
  amount: 129.9,
  description: "Pedido 1042",
  external_id: "1042",
  client: { name: "Ana Souza", cpf: "52998224725", email: "ana@example.com", phone: "11987654321" },
});
/** How many paid cycles of a sender may wait to be settled before it begins the next one. */
const WINDOW = 16;
const POLL_MS = 50;
const POLLED = 1_000;
/** The first cycles are not measured: the senders' windows are not full yet. */
const WARM_UP_CYCLES = 100;
const WARM_UP_WITHIN_MS = 30_000;

const SETTLED = `select t.id from unnest($1::uuid[], $2::uuid[]) as open(account_id, id)
  join transactions t on t.account_id = open.account_id and t.id = open.id where t.status = 'completed'`;

const TIMES = `select t.id, extract(epoch from t.paid_at)::float8 * 1000 as paid,
    extract(epoch from t.updated_at)::float8 * 1000 as settled
  from unnest($1::uuid[], $2::uuid[]) as made(account_id, id)
  join transactions t on t.account_id = made.account_id and t.id = made.id
  where t.status = 'completed'`;

/** What does not find a connection waits for one, also on a machine that is slow to accept them. */
const CONNECTIONS = { connections: 128, connect: { timeout: 60_000 } };

/** The payer of a sandbox pays at our own route. */
export const inSandbox = (post, { token, id }) => post(`${API}/sandbox/pix/${id}/pay`, token, "{}");

/** Cash-ins and their payments at a server, and when each was settled. A wrong answer throws and so voids the run. */
export function openCycles(owner, url, pay = inSandbox) {
  const dispatcher = new Agent(CONNECTIONS);
  const open = new Map();
  let settled = 0;
  let isOver = false;
  let wake = () => {};
  let changed = new Promise((done) => (wake = done));

  async function post(path, token, body) {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), "content-type": "application/json" };
    const answer = await request(url + path, { method: "POST", headers, body, dispatcher });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`Void: ${path} answered ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  }

  async function cycle({ accountId, token }, made) {
    const askedAt = performance.now();
    const { identifier: id } = await post(`${API}/cash-in`, token, CASH_IN);
    const cashInMs = performance.now() - askedAt;
    await pay(post, { token, id });
    made.push({ accountId, id, cashInMs });
    open.set(id, accountId);
    return id;
  }

  const polling = (async () => {
    while (!isOver) {
      const some = [...open].slice(0, POLLED);
      if (some.length > 0) {
        const { rows } = await owner.query(SETTLED, [some.map(([, accountId]) => accountId), some.map(([id]) => id)]);
        for (const { id } of rows) open.delete(id);
        settled += rows.length;
      }
      wake();
      changed = new Promise((done) => (wake = done));
      await sleep(POLL_MS);
    }
  })();

  const close = onStop(async () => {
    isOver = true;
    await polling;
    await dispatcher.destroy();
  });

  return {
    /**
     * `senders` that each pay cycle after cycle and only wait while too many of theirs are not settled. Returns the
     * cycles that were settled a second, after a warm-up, and in which `window` (ms since 1970), and all that were made.
     */
    async closed({ sellers, senders, seconds }) {
      const made = [];
      let isEnded = false;
      const send = async (_, sender) => {
        const mine = new Set();
        for (let n = sender; !isEnded; n += senders) {
          mine.add(await cycle(sellers[n % sellers.length], made));
          while (mine.size >= WINDOW && !isEnded) {
            await changed;
            for (const id of mine) if (!open.has(id)) mine.delete(id);
          }
        }
      };
      const sending = Promise.all(Array.from({ length: senders }, send));
      const measuring = (async () => {
        const [first, until] = [settled + WARM_UP_CYCLES, performance.now() + WARM_UP_WITHIN_MS];
        while (settled < first && performance.now() < until) await changed;
        const [before, startedAt] = [settled, Date.now()];
        await sleep(seconds * 1000);
        await changed;
        const window = [startedAt, Date.now()];
        return { window, perSecond: (settled - before) / ((window[1] - window[0]) / 1000) };
      })();
      try {
        return { made, ...(await Promise.race([measuring, sending])) };
      } finally {
        isEnded = true;
        await sending;
      }
    },

    /** Begins `perSecond` cycles a second whatever becomes of those before. Returns all that were made. */
    async paced({ sellers, perSecond, seconds }) {
      const made = [];
      const cycles = [];
      const startedAt = performance.now();
      for (let n = 0; n < perSecond * seconds; n++) {
        const waitMs = startedAt + (n * 1000) / perSecond - performance.now();
        if (waitMs > 1) await sleep(waitMs);
        cycles.push(cycle(sellers[n % sellers.length], made));
      }
      await Promise.all(cycles);
      return { made };
    },

    /** How many paid cycles are not settled yet. */
    unsettled: () => open.size,

    /** When each settled cycle was paid, by its rail's clock, and settled, by the database's, in ms since 1970. */
    async times(made) {
      const keys = [made.map(({ accountId }) => accountId), made.map(({ id }) => id)];
      return (await owner.query(TIMES, keys)).rows;
    },

    /** Ends the polling. */
    close,
  };
}
