import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
const KEY = "/api/partner/v1/public-key";
const DOMAINS = `${KEY}/domains`;

type Answer = { data: { key: string; created_at: string; domains: { id: string; origin: string }[] } };

const read = async (token: string) => ((await host.ask("GET", KEY, { token })).json as unknown as Answer).data;
const add = (token: string, origin: unknown, key?: string) =>
  host.ask("POST", DOMAINS, { token, body: { origin }, ...(key && { key }) });

describe("a public key", () => {
  test("is made when it is first read, once for all simultaneous reads, and stays", async () => {
    const { token } = await makeAccount();
    const answers = await Promise.all(Array.from({ length: 8 }, () => host.ask("GET", KEY, { token })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { key, created_at, domains } = await read(token);
    expect(key).toMatch(/^pk_test_[\w-]{43}$/);
    expect(created_at).toMatch(/\d{6}Z$/);
    expect(domains).toEqual([]);
    const live = await makeAccount({ mode: "live" });
    expect((await read(live.token)).key).toMatch(/^pk_live_[\w-]{43}$/);
  });

  test("that is regenerated is another one with the same domains, once per Idempotency-Key", async () => {
    const { token } = await makeAccount();
    await add(token, "https://loja.example");
    const before = await read(token);
    const ask = { token, body: {}, key: newId() };
    const answers = await Promise.all([0, 1, 2].map(() => host.ask("POST", `${KEY}/regenerate`, ask)));
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const after = await read(token);
    expect(answers[0]?.json).toEqual({ data: after });
    expect(after.key).not.toBe(before.key);
    expect(after.domains).toEqual(before.domains);
    await Promise.all([0, 1, 2].map(() => host.ask("POST", `${KEY}/regenerate`, { token, body: {} })));
    expect(await read(token)).not.toMatchObject({ key: after.key });
  });

  test("may be regenerated before it was first read", async () => {
    const { token } = await makeAccount();
    const { json } = await host.ask("POST", `${KEY}/regenerate`, { token, body: {} });
    expect(json).toEqual({ data: await read(token) });
  });
});

describe("a domain", () => {
  test("is added, listed newest first, and removed", async () => {
    const { token } = await makeAccount();
    const first = await add(token, "https://um.example");
    expect(first).toMatchObject({
      status: 201,
      json: { data: { id: expect.any(String), origin: "https://um.example" } },
    });
    const second = await add(token, " http://localhost:3000 ");
    const [one, two] = [first, second].map(({ json }) => (json as { data: { id: string } }).data);
    expect((await host.ask("GET", DOMAINS, { token })).json).toEqual({
      data: [two, one],
      meta: { total: 2, current_page: 1, per_page: 15, last_page: 1 },
    });
    expect((await host.ask("GET", `${DOMAINS}?per_page=1&page=2`, { token })).json).toMatchObject({ data: [one] });
    expect((await read(token)).domains).toEqual([two, one]);
    const removed = await host.ask("DELETE", `${DOMAINS}/${one?.id}`, { token });
    expect(removed).toMatchObject({ status: 200, json: { message: expect.any(String) } });
    expect((await host.ask("DELETE", `${DOMAINS}/${one?.id}`, { token })).status).toBe(404);
    expect((await read(token)).domains).toEqual([two]);
  });

  test.each(["loja.example", "http://loja.example", "https://loja.example/", "https://*.example", "", 7, null])(
    "%j is refused at origin, and not kept",
    async (origin) => {
      const { token } = await makeAccount();
      const answer = await add(token, origin);
      expect(answer).toMatchObject({ status: 422, json: { errors: { origin: [expect.any(String)] } } });
      expect((await read(token)).domains).toEqual([]);
    },
  );

  test("that is listed already is the same one", async () => {
    const { token } = await makeAccount();
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(token, "https://loja.example")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
  });

  test("is refused when ten are listed, also of many at once", async () => {
    const { token, accountId } = await makeAccount();
    const race = await Promise.all(Array.from({ length: 16 }, (_, at) => add(token, `https://loja${at}.example`)));
    expect(race.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { status, json } of race.filter((answer) => answer.status !== 201)) {
      expect({ status, json }).toMatchObject({ status: 422, json: { error: "domain_limit_reached" } });
    }
    expect(await forAccount(accountId, (tx) => tx.cardDomain.count())).toBe(10);
    const { domains } = await read(token);
    expect((await add(token, domains[3]?.origin)).status).toBe(201); // it is listed
    await host.ask("DELETE", `${DOMAINS}/${domains[0]?.id}`, { token });
    const last = await Promise.all([add(token, "https://a.example"), add(token, "https://b.example")]);
    expect(last.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test("of one account is not listed for another", async () => {
    const [one, other] = [await makeAccount(), await makeAccount()];
    await add(one.token, "https://loja.example");
    expect((await read(other.token)).domains).toEqual([]);
    expect((await add(other.token, "https://loja.example")).status).toBe(201);
  });
});

describe("the tester of origins", () => {
  const tryOrigin = async (token: string, origin: string) =>
    (await host.ask("POST", `${DOMAINS}/test`, { token, body: { origin } })).json;

  test("answers whether a page would be admitted, or what is missing", async () => {
    const seller = await makeAccount();
    const { token, accountId } = seller;
    const no = (reason: string, meant: string | null = null) => ({ data: { accepted: false, reason, meant } });
    expect(await tryOrigin(token, "https://loja.example")).toEqual(no("no_domain"));
    await add(token, "https://loja.example");
    expect(await tryOrigin(token, "https://loja.example")).toEqual({
      data: { accepted: true, reason: "accepted", meant: null },
    });
    expect(await tryOrigin(token, "https://loja.example/")).toEqual(no("malformed", "https://loja.example"));
    expect(await tryOrigin(token, "ftp://loja.example")).toEqual(no("malformed"));
    expect(await tryOrigin(token, "https://other.example")).toEqual(no("not_listed"));
    await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { features: [] } }));
    expect(await tryOrigin(token, "https://loja.example")).toEqual(no("cards_disabled"));
    await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { status: "suspended" } }));
    expect(await tryOrigin(token, "https://loja.example")).toEqual(no("account_inactive"));
  });
});
