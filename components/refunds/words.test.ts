import { expect, test } from "vitest";
import { categories, reasons } from "@/components/refunds/words";
import { reasonLabels, rejectionLabels } from "@/lib/refunds/schema";
import { refundStatusLabels } from "@/lib/refunds/states";
import { catalogues } from "@/messages/catalogues";

test("pages in Portuguese use the words of the API, and the other language has as many", () => {
  const { refunds } = catalogues["pt-BR"];
  expect(refunds.status).toEqual(refundStatusLabels);
  expect(refunds.reasons).toEqual(reasonLabels);
  expect(refunds.categories).toEqual(rejectionLabels);
  for (const { refunds: words } of Object.values(catalogues)) {
    expect(new Set(Object.values(words.status)).size).toBe(Object.keys(refundStatusLabels).length);
    expect(Object.keys(words.reasons)).toEqual([...reasons]);
    expect(Object.keys(words.categories)).toEqual([...categories]);
  }
});
