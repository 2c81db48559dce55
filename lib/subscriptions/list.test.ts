import { expect, test } from "vitest";
import { readOverview } from "@/lib/dashboard/overview";
import { asSystem, forAccount, inBackground } from "@/lib/db";
import { newId } from "@/lib/ids";
import { listPlans } from "@/lib/plans/read";
import { PlanQuery } from "@/lib/plans/schema";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { listPlanSubscribers, listSubscribers, listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriberQuery, SubscriptionQuery } from "@/lib/subscriptions/schema";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { advance, anActive, aPlan, enrolled, nowOf, payCode, shown } from "@/lib/testing/subscriptions";

openRail();

const list = (made: Made, query: object = {}) => listSubscriptions(made.accountId, SubscriptionQuery.parse(query));
const tokensOf = async (made: Made, query: object = {}) => (await list(made, query)).data.map(({ token }) => token);
const namesOf = async (made: Made, search: string) => {
  const found = await list(made, { search });
  const people = await listSubscribers(made.accountId, SubscriberQuery.parse({ search }));
  const names = found.data.map(({ subscriber_name: name }) => name);
  expect(people.data.map(({ name }) => name)).toEqual(names);
  expect([found.meta.total, people.meta.total]).toEqual([names.length, names.length]);
  return names;
};

test("who owes is listed from the longest overdue on, and a page goes on where the last one ended though that one has paid", async () => {
  const made = await makeAccount();
  const terms = { grace_period_days: 30 };
  const [slow, quick] = [await aPlan(made, { ...terms, periodicity_days: 40 }), await aPlan(made, terms)];
  const third = await anActive(made, slow);
  const first = await anActive(made, quick);
  await advance(made, 1);
  const second = await anActive(made, quick);
  await advance(made, 41);
  expect(await tokensOf(made, { owing: "true" })).toEqual([first, second, third]);

  const page = await list(made, { owing: "true", per_page: 1 });
  await payCode(made, (await shown(made, first)).charges[0]?.payment.identifier ?? "");
  const rest = await list(made, { owing: "true", per_page: 2, cursor: page.meta.next_cursor });
  expect(rest.data.map(({ token }) => token)).toEqual([second, third]);
  expect(rest.meta).toMatchObject({ next_cursor: null, total: 2, counts: { overdue: 2 } });
});

test("as many are suspended in the list of all as in the list of those that owe, and the paused ones are counted apart", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { grace_period_days: 0 });
  const suspended = await anActive(made, plan);
  const paused = await anActive(made, plan);
  await pauseSubscription((await nowOf(made)).account, { id: paused, reason: null, resumes_at: null }, call());
  await advance(made, 31);
  for (const of of [{}, { plan }]) {
    const all = await list(made, of);
    expect(all.meta).toMatchObject({ total: 2, counts: { suspended: 1, paused: 1 } });
    expect((await list(made, { ...of, owing: "true" })).meta).toMatchObject({ total: 1, counts: { suspended: 1 } });
    const those = async (which: "true" | "false") => {
      const { data, meta } = await list(made, { ...of, status: "suspended", paused: which });
      return [meta.total, ...data.map(({ token }) => token)];
    };
    expect(await those("true")).toEqual([1, paused]);
    expect(await those("false")).toEqual([1, suspended]);
  }
});

test("Home counts who is overdue apart from who is suspended, each as the list of those that owe does", async () => {
  const made = await makeAccount();
  const [strict, patient] = [await aPlan(made, { grace_period_days: 1 }), await aPlan(made, { grace_period_days: 20 })];
  const suspended = await anActive(made, strict);
  await anActive(made, patient);
  await anActive(made, patient);
  const paused = await anActive(made, patient);
  await pauseSubscription((await nowOf(made)).account, { id: paused, reason: null, resumes_at: null }, call());
  await advance(made, 33);
  const home = await readOverview((await nowOf(made)).account);
  expect(home).toMatchObject({ overdue_subscriptions: 2, suspended_subscriptions: 1 });
  const totalOf = async (status: string) => (await list(made, { owing: "true", status })).meta.total;
  expect([await totalOf("overdue"), await totalOf("suspended")]).toEqual([2, 1]);

  const { overdue_since, suspended_at } = await shown(made, suspended);
  const days = (Date.parse(suspended_at ?? "") - Date.parse(overdue_since ?? "")) / 86_400_000;
  expect(days, "it was suspended after it was overdue").toBeGreaterThan(0.5);
});

test("a cursor of the list by age goes on by token in the other list; one of the other list is 422 in the list by age", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const [{ token: one }, { token: other }] = [await enrolled(made, plan), await enrolled(made, plan)];
  expect(await tokensOf(made, { cursor: other })).toEqual([one]);
  expect(await tokensOf(made, { cursor: `0~${other}` })).toEqual([one]);
  await expect(list(made, { owing: "true", cursor: other })).rejects.toMatchObject({ code: "validation_failed" });
  for (const cursor of ["x", `~${other}`, `99999999999999~${other}`, `1~${other}~2`]) {
    expect(SubscriptionQuery.safeParse({ cursor }).success).toBe(false);
  }
});

test("a name is found by how it begins, in either case, with its accents or without, and only in its own account", async () => {
  const [made, other] = [await makeAccount(), await makeAccount()];
  const plan = await aPlan(made);
  const people = { "529.982.247-25": "ÉRICA Souza", "111.444.777-35": "Érico_Sá", "390.533.447-05": "Caio Érico" };
  for (const [document, name] of Object.entries(people)) {
    await enrolled(made, plan, { name, document, email: `${document.slice(0, 3)}@example.com` });
  }
  await enrolled(other, await aPlan(other), { name: "Érica de outro" });
  for (const begin of ["éric", "eric", "E\u0301RIC"]) {
    expect(await namesOf(made, begin)).toEqual(["Érico_Sá", "ÉRICA Souza"]);
  }
  expect(await namesOf(made, "Érico_")).toEqual(["Érico_Sá"]);
  for (const wildcard of ["_rico", "%", "éric_", "Souza"]) expect(await namesOf(made, wildcard)).toEqual([]);
  expect(await namesOf(made, "390.533.447-05")).toEqual(["Caio Érico"]);
  expect(await namesOf(made, "529@Example.com")).toEqual(["ÉRICA Souza"]);
});

test("a seller's people are found by keys of an index, which row-level security leaves to comparisons that leak nothing", async () => {
  const drop = await openOwnDatabase(); // its planner knows how many people there are
  const { accountId } = await makeAccount();
  await forAccount(
    accountId,
    (tx) => tx.$executeRaw`insert into subscribers (account_id, id, document, name, email, created_at, updated_at)
      select ${accountId}::uuid, new_id(), n::text, 'Pessoa ' || n, n || '@example.com', now(), now()
      from generate_series(1, 3000) n`,
  );
  await connected(ownerUrl(), (client) => client.query("analyze subscribers"));
  const searches = ["name_key >= 'pessoa 7' and name_key < 'pessoa 8'", "email = '7@example.com'", "document = '7'"];
  await forAccount(accountId, async (tx) => {
    for (const text of searches) {
      const plan = await tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
        `explain select id from subscribers where account_id = '${accountId}' and ${text}`,
      );
      const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
      expect(lines).toMatch(new RegExp(`Index Cond: .*${text.split(" ")[0]}`));
    }
  });
  await drop();
});

test("a plan counts its active subscriptions, neither those of another status nor those of another plan or account", async () => {
  const [made, other] = [await makeAccount(), await makeAccount()];
  const [busy, quiet] = [await aPlan(made), await aPlan(made)];
  const [, paused, gone] = [await anActive(made, busy), await anActive(made, busy), await anActive(made, busy)];
  const counts = async () => {
    const { data } = await listPlans(made.accountId, PlanQuery.parse({}));
    return Object.fromEntries(data.map((plan) => [plan.token, plan.active_subscriptions_count]));
  };
  expect(await counts()).toEqual({ [busy]: 3, [quiet]: 0 });
  await pauseSubscription((await nowOf(made)).account, { id: paused, reason: null, resumes_at: null }, call());
  await cancelSubscription((await nowOf(made)).account, { id: gone, reason: null, at_period_end: false }, call());
  await enrolled(made, quiet);
  await anActive(other, await aPlan(other));
  expect(await counts()).toEqual({ [busy]: 1, [quiet]: 0 });
  expect((await list(made, { plan: busy })).meta).toMatchObject({
    total: 3,
    counts: { active: 1, paused: 1, cancelled: 1 },
  });
  expect((await list(made, { plan: busy, status: "suspended" })).meta.total).toBe(1);
  expect((await list(made, { plan: busy, status: "suspended", paused: "false" })).meta.total).toBe(0);
  expect((await list(made, { plan: newId() })).meta).toMatchObject({ total: 0, counts: {} });

  const asked = await forAccount(other.accountId, async (tx) => [
    await tx.$queryRaw`select * from count_active(${made.accountId}::uuid, ${[busy]}::uuid[])`,
    await tx.$queryRaw`select status::text from count_subscriptions(${made.accountId}::uuid, ${busy}::uuid)`,
  ]);
  expect(asked).toEqual([[], []]);
});

test("a person who has paused shows when, so that it is told from a suspension", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await pauseSubscription((await nowOf(made)).account, { id: token, reason: null, resumes_at: null }, call());
  const { data } = await listSubscribers(made.accountId, SubscriberQuery.parse({}));
  expect(data[0]?.subscriptions).toMatchObject([{ token, status: "suspended", paused_at: expect.any(String) }]);
});

test("of more than ten thousand people the lists say so, and lead to the last one", { timeout: 60_000 }, async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const plan = await aPlan(made);
  await enrolled(made, plan);
  await asSystem(
    (tx) => tx.$executeRaw`insert into subscribers (id, account_id, document, name, email, created_at, updated_at)
      select gen_random_uuid(), ${accountId}::uuid, lpad(n::text, 11, '0'), 'Pessoa ' || n, n || '@example.com', now(), now()
      from generate_series(1, 10001) n`,
  );
  await connected(ownerUrl(), (client) => client.query("analyze subscribers")); // or each row's keys are looked up by a scan
  await inBackground(() =>
    asSystem(
      (tx) => tx.$executeRaw`insert into subscriptions
          (id, account_id, subscriber_id, plan_id, plan_version, name, email, document, created_at, updated_at)
        select gen_random_uuid(), p.account_id, p.id, f.plan_id, f.plan_version, p.name, p.email, p.document, now(), now()
        from subscribers p, (select plan_id, plan_version from subscriptions where account_id = ${accountId}::uuid) f
        where p.account_id = ${accountId}::uuid and p.name like 'Pessoa %'`,
    ),
  );
  const lists = [
    { table: "subscribers", read: (query: object) => listSubscribers(accountId, SubscriberQuery.parse(query)) },
    {
      table: "subscriptions",
      read: (query: object) => listPlanSubscribers(accountId, plan, SubscriberQuery.parse(query)),
    },
  ] as const;
  for (const { table, read } of lists) {
    const rows = await forAccount(accountId, (tx) =>
      tx.$queryRawUnsafe<{ id: string }[]>(`select id from ${table} order by id desc`),
    );
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(10_002);
    const first = await read({ per_page: 100 });
    expect(first.meta).toMatchObject({ total: 10_000, total_is_exact: false, next_cursor: ids[99] });

    const seen: string[] = [];
    for (let cursor: string | null | undefined = ids[9_799]; cursor; ) {
      const { data, meta }: Awaited<ReturnType<typeof read>> = await read({ per_page: 100, cursor });
      seen.push(...data.map((row) => ("token" in row ? row.token : row.id)));
      cursor = meta.next_cursor;
    }
    expect(seen).toEqual(ids.slice(9_800));
  }
});
