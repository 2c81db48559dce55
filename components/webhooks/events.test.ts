import { expect, test } from "vitest";
import { eventGroups } from "@/components/webhooks/events";
import { webhookEvents } from "@/lib/webhooks/schema";
import { catalogues } from "@/messages/catalogues";

test("the form offers every kind of event once, each with words of its own in every language", () => {
  const offered = Object.values(eventGroups).flat();
  expect([...offered].sort()).toEqual([...webhookEvents].sort());
  for (const { webhooks } of Object.values(catalogues)) {
    const words: Record<string, string> = webhooks.events;
    expect(new Set(offered.map((event) => words[event])).size).toBe(webhookEvents.length);
  }
});
