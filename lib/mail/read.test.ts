import { afterAll, beforeAll, expect, test } from "vitest";
import { listMails } from "@/lib/mail/read";
import { MailsQuery } from "@/lib/mail/schema";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { plansOf } from "@/lib/testing/plans";

/** The planner of a database of its own knows how many mails there are. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

test("however many mails the inbox has kept, the staff's list finds and counts all others by an index", async () => {
  await connected(ownerUrl(), async (client) => {
    await client.query(`insert into mails (id, intent, template, locale, recipient, status, sent_by)
      select new_id(), n::text, 'split_cancelled', 'en', n || '@example.com', 'sent', 'inbox'
      from generate_series(1, 5000) n`);
    await client.query("analyze mails");
  });
  const plans = await plansOf("mails", () => listMails(MailsQuery.parse({ status: "failed" })));
  const [kept, ...others] = plans.sort(
    (one, other) => Number(other.includes("'inbox'")) - Number(one.includes("'inbox'")),
  );
  expect(kept).toContain("'inbox'");
  expect(others).toHaveLength(5); // three statuses and those sent are counted, and a page is read
  for (const plan of others) expect(plan).toMatch(/using mails_(unsent|sent_by)/);
});
