import { expect, test } from "vitest";
import { shownRetention } from "@/lib/privacy/retention";
import { locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

test.each(locales)("each rule of retention is said on its page in %s, by a name of its own", (locale) => {
  const { what, why } = catalogues[locale].retention as Record<"what" | "why", Record<string, string>>;
  const rules = shownRetention();
  expect(Object.keys(what).sort()).toEqual(rules.map((rule) => rule.what).sort());
  expect(Object.keys(why).sort()).toEqual([...new Set(rules.map((rule) => rule.why))].sort());
});
