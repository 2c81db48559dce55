import { expect, test } from "vitest";
import { eventGroups, namesOf } from "@/components/webhooks/events";
import { dispute } from "@/lib/disputes/subject";
import { routesTo } from "@/lib/events/subjects";
import { refund } from "@/lib/refunds/subject";
import { subscription } from "@/lib/subscriptions/subject";
import { transaction } from "@/lib/transactions/subject";
import { webhookEvents } from "@/lib/webhooks/schema";
import { headersOf } from "@/lib/webhooks/sign";
import { withdrawal } from "@/lib/withdrawals/subject";
import { catalogues } from "@/messages/catalogues";

test("every kind of event that a webhook can be registered for is sent", () => {
  const subjects = [transaction, subscription, refund, withdrawal, dispute];
  const registered = new Set<string>(subjects.flatMap((subject) => subject.registered));
  expect([...registered].sort()).toEqual([...webhookEvents].sort());
});

test("the form has every kind of event once, each with words of its own in every language", () => {
  const offered = Object.values(eventGroups).flat();
  expect([...offered].sort()).toEqual([...webhookEvents].sort());
  for (const { webhooks } of Object.values(catalogues)) {
    const words: Record<string, string> = webhooks.events;
    expect(new Set(offered.map((event) => words[event])).size).toBe(webhookEvents.length);
  }
});

test("the names that the page offers for a test are those under which each kind is sent", () => {
  for (const event of webhookEvents) {
    expect([...namesOf(event)].sort(), event).toEqual([...new Set(routesTo(event).map(({ name }) => name))].sort());
  }
});

test("the headers that the page names are those that each format is sent with", () => {
  const call = { event: "x", eventId: "1", attemptId: "2", body: "{}", tokens: ["t"], at: new Date() };
  const headers = (contract: "cash" | "event") => Object.keys(headersOf({ ...call, contract }));
  for (const { webhooks } of Object.values(catalogues)) {
    for (const contract of ["cash", "event"] as const) {
      const named = webhooks.tokenHelp[contract].match(/X-[\w-]+|Authorization/g) ?? [];
      expect(named.map((name) => name.toLowerCase())).not.toEqual([]);
      for (const name of named) expect(headers(contract)).toContain(name.toLowerCase());
      for (const name of webhooks.secretHelp.match(/webhook-\w+/g) ?? []) expect(headers(contract)).toContain(name);
    }
  }
});
