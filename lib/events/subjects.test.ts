import { expect, test } from "vitest";
import { openEvent } from "@/lib/events/subjects";

const row = { id: "1", amount: 100, fee: 0, net: 100, method: "card", status: "pending", created_at: "2026-01-31" };
const event = {
  ...{ id: "e", subject: "transaction", type: "transaction.created", actor: null, occurredAt: new Date() },
  ...{ data: { status: "pending", previous_status: null }, record: row },
};
const registrationsOf = (changes: object) =>
  openEvent({ ...event, ...changes })
    .subscriptions.map(({ registration, contract, name }) => `${registration} ${contract} ${name}`)
    .sort();

test("each registration gets the events of its contract under that contract's names", () => {
  expect(registrationsOf({})).toEqual(["card event card.created", "transaction event transaction.created"]);
  expect(registrationsOf({ type: "transaction.updated", record: { ...row, method: "pix" } })).toEqual([
    "all cash cashin.update",
    "cashin cash cashin.update",
    "cashin_legacy legacy transaction.updated",
    "transaction event transaction.updated",
  ]);
});

test("the record's own callback gets only changes, in the legacy contract", () => {
  const record = { ...row, callback: { url: "https://example.com/" } };
  expect(openEvent({ ...event, record }).callback).toBeNull();
  expect(openEvent({ ...event, record, type: "transaction.updated" }).callback).toEqual({
    ...{ contract: "legacy", name: "transaction.updated", url: "https://example.com/" },
  });
  expect(openEvent({ ...event, type: "transaction.updated" }).callback).toBeNull();
});

test.each([{ subject: "constructor" }, { type: "transaction.exploded" }, { type: "toString" }])(
  "an event that no row describes (%j) is an error, not a silent loss",
  (changes) => {
    expect(() => openEvent({ ...event, ...changes })).toThrow("No row describes");
  },
);
