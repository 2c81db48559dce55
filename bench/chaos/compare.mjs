import { reconcile } from "./installation.mjs";
import { readSale, saleOf } from "./partner.mjs";
import { differentAnswers, parsed } from "./records.mjs";
import { eachOf } from "./senders.mjs";
import { readDatabase, stuckQueries } from "./stored.mjs";

const AT_ONCE = 6;
/** What V1 calls a sale's states. */
const IN_V1 = { pending: "pending", completed: "completed", refused: "failed", failed: "failed", expired: "failed" };

/**
 * Compares the callers' records with the API, the database, the simulators' stores and the receivers. Returns faults by
 * kind, each a list of `{what, id, detail}`: `lost`, `doubled`, `stuck`, `wrong`. `waiting` is no fault.
 */
export async function compare({ installation, records, receivers, tokens }) {
  const found = { lost: [], doubled: [], stuck: [], wrong: [], waiting: [] };
  const to = Object.fromEntries(
    Object.entries(found).map(([kind, list]) => [kind, (what, id, detail) => list.push({ what, id, detail })]),
  );
  const owner = await installation.postgres.connect();
  try {
    const stored = await readDatabase(owner);
    compareSales(records, stored, to);
    comparePayments(records, stored, to);
    compareRails(stored, to);
    compareAnswers(records, to);
    compareEvents(stored, receivers, tokens, to);
    await compareApi(installation.url, records, stored, tokens, to);
    for (const [what, text] of Object.entries(stuckQueries)) {
      for (const { id, detail } of (await owner.query(text)).rows) to.stuck(what, id, detail);
    }
  } finally {
    await owner.end();
  }
  const { isClean, output } = await reconcile(installation);
  if (!isClean) to.wrong("reconcile", null, output);
  return { ...found, isClean };
}

const salesOf = ({ intents }) => intents.filter(({ what }) => what !== "payment");

/** Each acknowledged sale is there once, with its amount and id. A sale that was not acknowledged is there once or not at all. */
function compareSales(records, { salesByRef }, to) {
  for (const intent of salesOf(records)) {
    const { ref, what, amount } = intent;
    const sales = salesByRef.get(ref) ?? [];
    if (sales.length > 1) to.doubled(`${what}: several sales of one request`, ref, sales.map(({ id }) => id).join());
    const id = saleOf(intent);
    if (!id) continue;
    const sale = sales.find((one) => one.id === id);
    if (!sale) to.lost(`${what}: an acknowledged sale`, id, ref);
    else if (Number(sale.amount) !== amount) to.wrong(`${what}: amount`, id, `${sale.amount}, asked for ${amount}`);
    else if (what === "card") compareCharge(intent, sale, to);
    if (sale && intent.split && sale.share_ids.length === 0) to.lost("split of an acknowledged sale", id, ref);
  }
}

/** A charge has the status that was answered first, unless that answer was pending. */
function compareCharge({ answers: [{ status, text }] }, { id, status: now }, to) {
  const answered = status === 402 ? "refused" : status === 503 ? "failed" : parsed(text).status;
  if (answered !== "pending" && answered !== now) to.wrong("card: status", id, `answered ${answered}, is ${now}`);
}

/** Each acknowledged payment is in the PSP's store and completed its sale. No sale was paid twice. */
function comparePayments({ intents }, { salesByRef, pixByTxid }, to) {
  for (const { what, answers, of, ref } of intents) {
    if (what !== "payment") continue;
    const [sale] = salesByRef.get(of) ?? [];
    const paid = pixByTxid.get(sale?.txid) ?? [];
    if (paid.length > 1) to.doubled("payments of one sale", sale.id, paid.map(({ id }) => id).join());
    if (answers.length === 0) continue;
    const { end_to_end_id: id } = parsed(answers[0].text);
    if (!paid.some((pix) => pix.id === id)) to.lost("an acknowledged payment", id, ref);
    else if (sale.end_to_end_id !== id) to.lost("the sale of an acknowledged payment", sale.id, `is ${sale.status}`);
  }
}

/** Each payment and charge of the simulators completed its sale and was posted once. Each posting has its sale. */
function compareRails({ sales, pixByTxid, chargeById, postings, unmatched }, to) {
  for (const sale of sales) {
    const { id, method, status, share_ids } = sale;
    const charge = chargeById.get(id);
    const isPaid = method === "card" ? charge?.status === "approved" : pixByTxid.has(sale.txid);
    if (isPaid && status !== "completed") to.lost(`${method}: paid and not completed`, id, `is ${status}`);
    if (!isPaid && status === "completed") to.wrong(`${method}: completed and not paid`, id, "");
    if (charge?.status === "refused" && status !== "refused") to.wrong("card: refused", id, `is ${status}`);
    for (const source of [id, ...share_ids]) {
      const count = postings.get(source) ?? 0;
      const due = isPaid ? 1 : 0;
      if (count > due) to.doubled(`${method}: postings`, source, `${count}, due ${due}`);
      if (count < due) to.lost(`${method}: posting`, source, `of sale ${id}`);
    }
  }
  const known = new Set(sales.map(({ id }) => id));
  for (const id of chargeById.keys()) if (!known.has(id)) to.lost("the sale of a charge at the acquirer", id, "");
  for (const { id, reason } of unmatched) to.wrong("money that matches nothing", id, reason);
}

/** Each key has exactly one answer. */
function compareAnswers({ intents, surprises }, to) {
  for (const intent of intents.filter(({ key }) => key)) {
    const different = differentAnswers(intent);
    if (different.length > 1) to.doubled(`${intent.what}: answers of one key`, intent.ref, different.join(" ≠ "));
    if (intent.open && !intent.isRefused) to.stuck(`${intent.what}: a key without an answer`, intent.ref, intent.key);
  }
  for (const { ref, what, status, text } of surprises) to.wrong(`${what}: answered ${status}`, ref, text);
}

/** Every event reached each subscribed receiver. Every received event is in the database. None happened twice. */
function compareEvents({ events, deliveries, dispatches }, receivers, { accounts }, to) {
  const known = new Set(events.map(({ id }) => id));
  const seen = new Set();
  for (const event of events) {
    const { id, subject_id, type, status } = event;
    const fact = `${subject_id} ${type} ${status}`;
    if (seen.has(fact)) to.doubled("events of one change", subject_id, fact);
    seen.add(fact);
    for (const { name, got } of subscribersOf(event, receivers, accounts)) {
      if (got.get(id)?.good > 0) continue;
      const delivery = deliveries.get(`${id} ${name === "cash" ? "cash" : "event"}`);
      const isPlanned = delivery ? delivery.next : dispatches.has(id);
      // A planned delivery that is overdue is found as stuck.
      const add = isPlanned ? to.waiting : to.lost;
      add(
        `event for ${name}`,
        id,
        `${fact}; ${delivery ? `${delivery.status}, next ${delivery.next}` : "no delivery"}`,
      );
    }
  }
  for (const { name, got } of [receivers.cash, receivers.event, receivers.probe]) {
    for (const { id, sale, bodies } of got.values()) {
      if (!known.has(id)) to.lost(`an event that ${name} received`, id, `of sale ${sale.id}`);
      if (bodies.size > 1) to.doubled(`bodies that ${name} received of one event`, id, sale.id);
    }
  }
  for (const { receiver, id, fault } of receivers.faults) to.wrong(`a delivery to ${receiver}`, id, fault);
}

function subscribersOf({ account_id, method }, { cash, event, probe }, { seller }) {
  if (account_id !== seller) return [probe];
  return method === "pix" ? [cash, event] : [event];
}

/** The API shows every acknowledged sale as the database holds it. */
async function compareApi(url, records, { saleById }, tokens, to) {
  const acknowledged = salesOf(records).filter(saleOf);
  await eachOf(acknowledged, AT_ONCE, async (intent) => {
    const id = saleOf(intent);
    const shown = await readSale(url, tokens.byAccount(saleById.get(id)?.account_id), id);
    const status = IN_V1[saleById.get(id)?.status];
    if (!shown) to.lost("a sale that the API does not show", id, intent.ref);
    else if (Math.round(shown.amount * 100) !== intent.amount || shown.status !== status) {
      to.wrong("a sale as the API shows it", id, `${shown.amount} ${shown.status}, not ${intent.amount} ${status}`);
    }
  });
}
