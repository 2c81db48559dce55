import { expect, test } from "vitest";
import { decimalOf } from "@/components/splits/percentage";
import { InviteInput } from "@/lib/splits/schema";

const basisPointsOf = (text: string) => {
  const read = InviteInput.safeParse({ email: "ana@example.com", percentage: decimalOf(text) });
  return read.success ? read.data.percentage : undefined;
};

test.each([
  ["12,5", 1250],
  ["12.5", 1250],
  [" 12,35 % ", 1235],
  ["0,01", 1],
  ["99,99", 9999],
])("%j that a person types is read by the API as %i basis points", (text, basisPoints) => {
  expect(basisPointsOf(text)).toBe(basisPoints);
});

test.each(["", "%", "0", "-1", "12,345", "1,2,3", "abc", "100,01"])("%j is no percentage", (text) => {
  expect(basisPointsOf(text)).toBeUndefined();
});
