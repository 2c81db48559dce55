import { afterAll, beforeAll, expect, test } from "vitest";
import { readSeller } from "@/lib/accounts/list";
import { asSystem } from "@/lib/db";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { plansOf } from "@/lib/testing/plans";

/** The planner of a database of its own knows how many accounts there are. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

test("the accounts with one document are found by an index, however many accounts there are", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  await asSystem(
    (tx) => tx.$executeRaw`insert into accounts
      select (jsonb_populate_record(a, jsonb_build_object('id', new_id(), 'document', n::text))).*
      from accounts a, generate_series(1, 3000) n where a.id = ${accountId}::uuid`,
  );
  await connected(ownerUrl(), (client) => client.query("analyze accounts"));
  const plans = await plansOf("accounts", () => readSeller(accountId));
  expect(plans.some((plan) => plan.includes("accounts_document_idx"))).toBe(true);
  expect(plans.filter((plan) => plan.includes("Seq Scan"))).toEqual([]);
});
