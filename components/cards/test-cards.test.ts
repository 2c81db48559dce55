import { expect, test } from "vitest";
import { type TestCard, testCards } from "@/components/cards/test-cards";
import { brandOf } from "@/lib/pan/brands";
import { outcomeOf } from "@/lib/simulators/cards/outcomes";

const answers = { "at once": "at_once", slow: "delayed", never: "asked_again" } as const;

test.each(testCards)("the sheet shows for $number what the simulated acquirer answers", (card: TestCard) => {
  const { number, answer, refused } = card;
  const outcome = outcomeOf(number);
  if (refused === "antifraud") return expect(outcome.status).toBe("approved"); // our own rules refuse it before
  expect({ answer, refused }).toEqual({ answer: answers[outcome.answers], refused: outcome.refused_reason });
});

test.each(testCards)("$number is a $brand", ({ number, brand }) => {
  expect(brandOf(number)).toBe(brand);
});
