import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Order } from "@/lib/charges/begin";
import { cardCharge } from "@/lib/charges/call";
import { chargeCard, chargeStoredCard } from "@/lib/charges/charge";
import { countRecent } from "@/lib/charges/rules";
import { type Charge, ChargeBody } from "@/lib/charges/schema";
import { settleDueCharges } from "@/lib/charges/settle";
import { finishUnknownCharges } from "@/lib/charges/unknown";
import { asSystem, forAccount, pool, prisma } from "@/lib/db";
import type { Idem } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { finishCall, resolveCall } from "@/lib/outside/calls";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import type { Acquirer } from "@/lib/rails/cards/port";
import { patience } from "@/lib/simulators/cards/routes";
import { answerOf, call, type Made, makeAccount } from "@/lib/testing/make";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";
import { timelineOf } from "@/lib/testing/subscriptions";
import { historyOf, tracesOf } from "@/lib/testing/traces";

let rail: Awaited<ReturnType<typeof serveRail>>;
const { slowMs, heldMs } = patience;
beforeAll(async () => {
  rail = await serveRail();
  Object.assign(patience, { slowMs: 0, heldMs: 0 }); // a missing answer is then an empty answer at once
});
afterAll(() => {
  Object.assign(patience, { slowMs, heldMs });
  return rail.close();
});

const APPROVED = "4111111111111111";

const order = (token: string, overrides: object = {}) => ChargeBody.parse(anOrder(token, overrides));

type Answered = Partial<Charge> & { error?: string; refused_reason?: string; http: number };

async function charge(seller: Made, token: string, overrides: object = {}, idem?: Idem): Promise<Answered> {
  return read(chargeCard(seller.account, order(token, overrides), { ...call(), idem }));
}

const read = (result: Promise<Charge>): Promise<Answered> =>
  result.then(
    (charge) => ({ ...charge, http: 200 }),
    (error) => {
      const { status, body } = answerOf(error);
      return { ...(JSON.parse(body) as object), http: status };
    },
  );

const saleOf = ({ accountId }: Made, id = "") =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

const keyed = ({ accountId }: Made): Idem => ({
  accountId,
  key: newId(),
  requestHash: sha256("the request"),
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});

test("an approved charge completes its sale, makes its money pending and writes its history", async () => {
  const seller = await makeAccount();
  const answer = await charge(seller, await aToken(seller), { installments: 3 });
  expect(answer).toMatchObject({ http: 200, status: "completed", brand: "visa", last4: "1111" });
  expect(await saleOf(seller, answer.identifier)).toMatchObject({
    method: "card",
    status: "completed",
    installments: 3,
    fee: 438n, // 3.99 % and 0.39
    net: 9_562n,
  });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: 9_562 });
  expect(await historyOf(seller.accountId, answer.identifier ?? "")).toEqual(["pending", "pending → completed"]);
});

test.each([
  ["4000000000000002", "do_not_honor"],
  ["4000000000009995", "insufficient_funds"],
  ["4000000000000069", "expired_card"],
  ["4000000000000127", "invalid_cvv"],
  ["4000000000009979", "stolen_card"],
])("the issuer refuses %s: 402 with %s, and no money moves", async (number, reason) => {
  const seller = await makeAccount();
  const answer = await charge(seller, await aToken(seller, number));
  expect(answer).toMatchObject({ http: 402, error: "card_refused", refused_reason: reason });
  expect(await saleOf(seller, answer.identifier)).toMatchObject({ status: "refused", refusedReason: reason });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: 0 });
});

test("our own rules refuse a charge without asking the acquirer, and the caller is not given the rule", async () => {
  const seller = await makeAccount();
  const answer = await charge(seller, await aToken(seller, "4100000000000019"));
  expect(answer).toMatchObject({ http: 402, error: "antifraud_refused" });
  expect(answer.refused_reason).toBeUndefined();
  const id = answer.identifier ?? "";
  expect(await acquirerFor("sandbox")?.find({ id, amount: 10_000, isWanted: true })).toBeNull();
  const { accountId } = seller;
  const where = { accountId_transactionId: { accountId, transactionId: id } };
  const facts = await forAccount(accountId, (tx) => tx.cardCharge.findUniqueOrThrow({ where }));
  expect(facts.rule).toBe("card_velocity");
});

test("of two charges of one token at once exactly one is made, and the other is answered with the reason", async () => {
  const seller = await makeAccount();
  const token = await aToken(seller);
  const race = await Promise.allSettled(Array.from({ length: 8 }, () => charge(seller, token)));
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of race) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
  }
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, postings: 1 });
  await expect(charge(seller, token)).rejects.toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
});

test("a split divides the pending money to the cent, and all of it becomes available on its day", async () => {
  const [seller, first, second] = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
  const split = [first, second].map(({ clientId }) => ({ user_id: clientId, percentage: 33 }));
  const { identifier = "" } = await charge(seller, await aToken(seller), { split });
  const pending = async () =>
    Promise.all([first, second, seller].map(async ({ accountId }) => (await readBalances(accountId)).pending));
  expect(await pending()).toEqual([3_155, 3_155, 3_252]);

  await settleDueCharges();
  expect(await pending(), "its day has not come").toEqual([3_155, 3_155, 3_252]);
  const where = { accountId_id: { accountId: seller.accountId, id: identifier } };
  const settleAt = new Date(Date.now() - 1_000);
  await forAccount(seller.accountId, (tx) => tx.transaction.update({ where, data: { settleAt } }));
  await Promise.all([settleDueCharges(), settleDueCharges(), settleDueCharges()]);

  expect(await pending()).toEqual([0, 0, 0]);
  const available = await Promise.all([first, second, seller].map(async ({ accountId }) => readBalances(accountId)));
  expect(available.map((balance) => balance.available)).toEqual([3_155, 3_155, 3_252]);
});

describe("refused, and nothing is left behind:", () => {
  async function expectNothing(seller: Made, attempt: () => Promise<unknown>, error: object) {
    const before = await tracesOf(seller.accountId);
    await expect(attempt()).rejects.toMatchObject(error);
    expect(await tracesOf(seller.accountId)).toEqual(before);
  }

  test("a token that is malformed, unknown or another account's, with the same text", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    const tokens = ["x", "card_token.", `card_token.${"A".repeat(43)}`, await aToken(other)];
    const faults = await Promise.all(
      tokens.map((token) => charge(seller, token).catch(({ options }) => JSON.stringify(options.faults))),
    );
    expect(new Set(faults).size).toBe(1);
    expect(faults[0]).toContain("card.token");
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 0 });
  });

  test("an expired token", async () => {
    const seller = await makeAccount();
    const token = await aToken(seller);
    await forAccount(seller.accountId, (tx) =>
      tx.cardToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } }),
    );
    await expectNothing(seller, () => charge(seller, token), { code: "card_token_expired" });
  });

  test("a live account, where no acquirer is configured", async () => {
    const seller = await makeAccount({ mode: "live" });
    const token = await aToken(seller);
    await expectNothing(seller, () => charge(seller, token), { code: "rail_not_configured" });
  });
});

describe("an acquirer that does not answer", () => {
  test.each([
    ["4000000000000119", "completed", 9_562],
    ["4000000000000259", "refused", 0],
  ])("leaves a charge of %s pending until it is asked about the same id: %s", async (number, status, pending) => {
    const seller = await makeAccount();
    const answer = await charge(seller, await aToken(seller, number));
    expect(answer).toMatchObject({ http: 200, status: "pending", last4: number.slice(-4) });
    const asked = { accountId: seller.accountId, id: answer.identifier ?? "" };
    await Promise.all([resolveCall(cardCharge, asked), resolveCall(cardCharge, asked), resolveCall(cardCharge, asked)]);
    expect(await saleOf(seller, answer.identifier)).toMatchObject({ status });
    expect(await readBalances(seller.accountId)).toMatchObject({ pending });
    expect(await historyOf(seller.accountId, asked.id)).toEqual(["pending", `pending → ${status}`]);
    const { rows } = await pool().query("select count(*)::int as count from simulator_charges where id = $1", [
      answer.identifier,
    ]);
    expect(rows).toEqual([{ count: 1 }]);
  });

  test("and does not know our id is asked for a quarter of an hour, and then the sale fails", async () => {
    const seller = await makeAccount();
    whenCharging(() => Promise.reject(new Error("The acquirer gave no answer")));
    const { identifier = "" } = await charge(seller, await aToken(seller));
    const asked = { accountId: seller.accountId, id: identifier };
    await expect(resolveCall(cardCharge, asked)).rejects.toThrow("does not know");
    const sentAt = new Date(Date.now() - 16 * 60_000);
    await forAccount(seller.accountId, (tx) =>
      tx.call.update({ where: { accountId_id: asked }, data: { sentAt, askedAt: sentAt } }),
    );
    await resolveCall(cardCharge, asked);
    expect(await saleOf(seller, identifier)).toMatchObject({ status: "failed" });
    expect(await historyOf(seller.accountId, identifier)).toEqual(["pending", "pending → failed"]);
  });
});

test("a charge that was delayed for 20 s is not sent any more, and its sale fails", async () => {
  const seller = await makeAccount();
  const token = await aToken(seller);
  let isSent = false;
  whenCharging((charge, asked) => {
    isSent = true;
    return charge(asked);
  });
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValueOnce(now - 20_001);
  expect(await charge(seller, token)).toMatchObject({ http: 503, error: "charge_not_made" });
  expect(isSent).toBe(false);
});

test("an acquirer that cannot be reached charged nothing, so the sale fails at once, and so do its repeats", async () => {
  const seller = await makeAccount();
  const [token, idem] = [await aToken(seller), keyed(seller)];
  const answer = await whileDown(() => charge(seller, token, {}, idem));
  expect(answer).toMatchObject({ http: 503, error: "charge_not_made" });
  expect(await charge(seller, token, {}, idem)).toEqual(answer);
  expect(await historyOf(seller.accountId, answer.identifier ?? "")).toEqual(["pending", "pending → failed"]);
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 0, pending: 0 });
});

describe("under one Idempotency-Key", () => {
  test.each([APPROVED, "4000000000000002", "4100000000000019"])(
    "%s is charged once, and all are answered alike",
    async (number) => {
      const seller = await makeAccount();
      const token = await aToken(seller, number);
      const idem = keyed(seller);
      const answers = await Promise.all(Array.from({ length: 6 }, () => charge(seller, token, {}, idem)));
      const repeat = await charge(seller, token, {}, idem);
      expect(new Set([...answers, repeat].map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, keys: 1 });
    },
  );

  test("a repeat that was answered as pending keeps its answer, though its first request is approved later", async () => {
    const seller = await makeAccount();
    const [token, idem] = [await aToken(seller), keyed(seller)];
    let repeated: Answered | undefined;
    whenCharging(async (charge, asked) => {
      const sentAt = new Date(Date.now() - 60_000); // so old that a repeat does not wait for it
      await forAccount(seller.accountId, (tx) => tx.call.updateMany({ data: { sentAt, askedAt: sentAt } }));
      repeated = await whileDown(() => charged());
      return charge(asked);
    });
    const charged = () => charge(seller, token, {}, idem);
    const answer = await charged();
    expect(repeated).toMatchObject({ http: 200, status: "pending" });
    expect(answer).toEqual(repeated);
    expect(await saleOf(seller, answer.identifier)).toMatchObject({ status: "completed" });
  });

  /** A key whose answer cannot be written the first `times` times, as when the database is away for a while. */
  function unwritable(seller: Made, times: number): Idem {
    const idem = keyed(seller);
    let left = times;
    const render: Idem["render"] = (result) => {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error("Connection terminated"), { code: "ECONNRESET" });
      return idem.render(result);
    };
    return { ...idem, render };
  }

  test("an answer that was given while the database failed stays the answer, because it is kept before it is given", async () => {
    const seller = await makeAccount();
    const [token, idem] = [await aToken(seller), unwritable(seller, 1)];
    const answer = await charge(seller, token, {}, idem);
    expect(answer).toMatchObject({ http: 200, status: "pending" });
    const asked = { accountId: seller.accountId, id: answer.identifier ?? "" };
    await resolveCall(cardCharge, asked);
    expect(await saleOf(seller, answer.identifier)).toMatchObject({ status: "completed" });
    expect(await charge(seller, token, {}, idem)).toEqual(answer);
  });

  test("an answer that cannot be kept is not given: 503, and the repeat is answered at once from the sale", async () => {
    const seller = await makeAccount();
    const [token, idem] = [await aToken(seller), unwritable(seller, 2)];
    await expect(charge(seller, token, {}, idem)).rejects.toMatchObject({ code: "unavailable" });
    const answer = await charge(seller, token, {}, idem);
    expect(answer).toMatchObject({ http: 200, status: "pending" });
    await resolveCall(cardCharge, { accountId: seller.accountId, id: answer.identifier ?? "" });
    expect(await saleOf(seller, answer.identifier)).toMatchObject({ status: "completed" });
    expect(await charge(seller, token, {}, idem)).toEqual(answer);
  });

  test("another request is refused", async () => {
    const seller = await makeAccount();
    const idem = keyed(seller);
    await charge(seller, await aToken(seller), {}, idem);
    const other = { ...idem, requestHash: sha256("another request") };
    await expect(charge(seller, await aToken(seller), {}, other)).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
  });
});

describe("a card on file", () => {
  const save_card = { consent: "Concordo com cobranças mensais desta loja." };
  const stored = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.storedCard.findMany());
  const later = (): Order => order("unused", { amount: 50 });

  test("is kept after an approved charge with its holder's consent, and is charged later without a CVV", async () => {
    const seller = await makeAccount();
    const sent: (string | undefined)[][] = [];
    whenCharging((charge, asked) => {
      sent.push([asked.onFile, asked.card.cvv]);
      return charge(asked);
    });
    await charge(seller, await aToken(seller));
    await charge(seller, await aToken(seller), { save_card });
    const [card] = await stored(seller);
    expect(card).toMatchObject({
      brand: "visa",
      last4: "1111",
      consent: { text: save_card.consent, ip: "203.0.113.7" },
    });
    const again = await read(chargeStoredCard(seller.account, later(), card?.id ?? "", call()));
    expect(again).toMatchObject({ http: 200, status: "completed", last4: "1111" });
    expect(sent).toEqual([
      [undefined, "123"],
      ["first", "123"],
      ["later", undefined],
    ]);
  });

  test("is not kept without consent, nor after a charge that was not approved", async () => {
    const seller = await makeAccount();
    await charge(seller, await aToken(seller));
    await charge(seller, await aToken(seller, "4000000000000002"), { save_card });
    expect(await stored(seller)).toEqual([]);
  });

  test("cannot be charged after its first charge was disputed and lost", async () => {
    const seller = await makeAccount();
    const { identifier = "" } = await charge(seller, await aToken(seller), { save_card });
    const [card] = await stored(seller);
    const where = { accountId_id: { accountId: seller.accountId, id: identifier } };
    const change = (status: "chargedback" | "completed") =>
      forAccount(seller.accountId, (tx) => tx.transaction.update({ where, data: { status } }));
    await change("chargedback");
    await expect(chargeStoredCard(seller.account, later(), card?.id ?? "", call())).rejects.toMatchObject({
      code: "card_not_found",
    });
    await change("completed"); // so that the run's last reconcile finds no fault
  });

  test("cannot be charged before its first charge is approved, nor by another account", async () => {
    const [seller, other] = [await makeAccount(), await makeAccount()];
    await charge(seller, await aToken(seller, "4000000000000119"), { save_card });
    const [card] = await stored(seller);
    for (const { account } of [seller, other]) {
      const attempt = chargeStoredCard(account, later(), card?.id ?? "", call());
      await expect(attempt).rejects.toMatchObject({ code: "card_not_found" });
    }
  });
});

/** Calls `run` instead of the acquirer's own `charge`, which it gets as its first argument. */
function whenCharging(
  run: (charge: Acquirer["charge"], ...asked: Parameters<Acquirer["charge"]>) => ReturnType<Acquirer["charge"]>,
) {
  const acquirer = acquirerFor("sandbox");
  if (!acquirer) throw new Error("a sandbox has an acquirer");
  const { charge } = acquirer;
  acquirer.charge = (...asked) => run(charge, ...asked);
  onTestFinished(() => void Object.assign(acquirer, { charge }));
}

test("a charge that was approved and whose outcome cannot be written is answered as pending, with the sale's id", async () => {
  const seller = await makeAccount();
  const token = await aToken(seller);
  const lock = await pool().connect();
  onTestFinished(() => lock.release());
  whenCharging(async (charge, asked) => {
    const outcome = await charge(asked);
    await lock.query("begin");
    await lock.query("select set_config('app.accounts', $1, true)", [seller.accountId]);
    await lock.query("select from transactions where id = $1 for update", [asked.id]); // held until the write gives up
    return outcome;
  });
  const answer = await charge(seller, token);
  await lock.query("rollback");
  expect(answer).toMatchObject({ http: 200, status: "pending", identifier: expect.any(String) });
  await resolveCall(cardCharge, { accountId: seller.accountId, id: answer.identifier ?? "" });
  expect(await readBalances(seller.accountId)).toMatchObject({ pending: 9_562 });
}, 30_000);

test("an approval for a sale that had failed is recorded for the operator and moves no money", async () => {
  const seller = await makeAccount();
  const { identifier = "" } = await charge(seller, await aToken(seller, "4000000000000119"));
  const call = { accountId: seller.accountId, id: identifier };
  await finishCall(cardCharge, call, { status: "lost" });
  await finishCall(cardCharge, call, { status: "approved" });
  expect(await saleOf(seller, identifier)).toMatchObject({ status: "failed" });
  expect(await readBalances(seller.accountId)).toMatchObject({ pending: 0 });
  const unmatched = await asSystem((tx) =>
    tx.unmatchedReceipt.findMany({ where: { provider: "cards", endToEndId: identifier } }),
  );
  expect(unmatched).toMatchObject([{ reason: "charged_too_late", amount: 10_000n }]);
  const timeline = await timelineOf(seller, "transaction", identifier);
  expect(timeline.filter(({ kind }) => kind === "unmatched")).toMatchObject([
    { title: "charged_too_late", status: "100.00", detail: null },
  ]);
});

test("simultaneous charges of one card, address or document are counted one after the other", async () => {
  const { accountId } = await makeAccount();
  const who = { accountId, fingerprint: Buffer.alloc(32, 7), ip: "203.0.113.9", document: "52998224725" };
  const seen = await Promise.all(
    Array.from({ length: 10 }, () =>
      forAccount(accountId, async (tx) => {
        const { recentOfCard } = await countRecent(tx, who);
        const facts = { transactionId: newId(), email: "a@b.co", device: {} };
        await tx.cardCharge.create({ data: { ...who, ...facts, fingerprint: new Uint8Array(who.fingerprint) } });
        return recentOfCard;
      }),
    ),
  );
  expect(seen.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a charge that the acquirer approved and we took for lost waits in the operator's list, once, whatever reported it", async () => {
  const seller = await makeAccount();
  const idem = keyed(seller);
  const token = await aToken(seller, APPROVED);
  await whileDown(() => charge(seller, token, {}, idem));
  const [sale] = await forAccount(seller.accountId, (tx) => tx.transaction.findMany());
  const id = sale?.id ?? "";
  expect(sale?.status).toBe("failed");
  await prisma().simulatorCharge.create({ data: { id, amount: 10_000n, installments: 1, status: "approved" } });
  const kinds = [cardCharge];
  await finishUnknownCharges(kinds); // the call itself may still be under way
  const unmatched = () =>
    asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { provider: "cards", endToEndId: id } }));
  expect(await unmatched()).toEqual([]);
  await Promise.all([finishUnknownCharges(kinds, -1_000), finishUnknownCharges(kinds, -1_000)]);
  expect(await unmatched()).toMatchObject([{ reason: "charged_too_late", amount: 10_000n }]);
  expect((await saleOf(seller, id)).status).toBe("failed");
});
