import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { FIRST_ID } from "@/lib/lists/period";
import { upgraded } from "@/lib/testing/upgrade";

test.each([
  [3, [{ name: "link", account_id: FIRST_ID, event_id: FIRST_ID }]],
  [0, []],
])("an upgrade links none of %d events itself, and leaves the place from which the loop does", async (count, walks) => {
  const left = await upgraded(
    "_audit_links",
    async (client) => {
      const text = `insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
        select $1, new_id(), 'product.updated', 'product', new_id(), '{}', '{}', now() from generate_series(1, $2::int)`;
      await client.query(text, [newId(), count]);
    },
    async (client) => ({
      walks: (await client.query("select * from audit_walks")).rows,
      waiting: (await client.query("select from outbox_of_consumers union all select from audit_links")).rowCount,
    }),
  );
  expect(left).toEqual({ walks, waiting: 0 });
});
