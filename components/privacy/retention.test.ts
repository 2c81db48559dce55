import { expect, test } from "vitest";
import { shownRetention } from "@/lib/privacy/retention";
import { locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

test.each(locales)("the page about retention has words for every rule, and for no other (%s)", (locale) => {
  const { what, why } = catalogues[locale].retention;
  const rules = shownRetention();
  expect(Object.keys(what).sort()).toEqual(rules.map(({ table }) => table).sort());
  expect(Object.keys(why).sort()).toEqual([...new Set(rules.map((rule) => rule.why))].sort());
});
