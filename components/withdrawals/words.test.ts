import { expect, test } from "vitest";
import { withdrawalStatusLabels } from "@/lib/withdrawals/states";
import { catalogues } from "@/messages/catalogues";

test("pages in Portuguese use the API's words for a withdrawal's status, and the other language has as many", () => {
  expect(catalogues["pt-BR"].withdrawals.status).toEqual(withdrawalStatusLabels);
  const inEnglish = Object.values(catalogues.en.withdrawals.status);
  expect(new Set(inEnglish).size).toBe(Object.keys(withdrawalStatusLabels).length);
});
