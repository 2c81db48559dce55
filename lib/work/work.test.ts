import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { readWork } from "@/lib/work/read";

let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

test("each queue says what is due, how long the oldest has waited, and what failed; the longest waiting comes first", async () => {
  await connected(ownerUrl(), (client) =>
    client.query(`insert into timed_jobs (name, due_at, attempts) values
      ('${newId()}', now() - interval '90 minutes', 2), ('${newId()}', now() - interval '1 minute', 0), ('later', now() + interval '1 day', 1)`),
  );
  const { data } = await readWork();
  expect(data[0]).toEqual({ name: "timetable", rows: 2, oldest_seconds: expect.any(Number), failing: 2 });
  expect(Math.abs((data[0]?.oldest_seconds ?? 0) - 5_400)).toBeLessThan(60);
  expect(data.find(({ name }) => name === "mails")).toEqual({ name: "mails", rows: 0, oldest_seconds: 0, failing: 0 });
  expect(data.find(({ name }) => name === "billing.bill-due")).toMatchObject({ failing: null });
});
