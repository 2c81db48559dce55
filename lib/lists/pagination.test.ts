import { expect, test } from "vitest";
import { COUNTED, countedUpTo, upTo } from "@/lib/lists/pagination";

test("a list of 10,000 is counted exactly; of more the total is a floor that says so, and so are the numbers of its tabs", () => {
  expect(upTo(COUNTED)).toEqual({ total: COUNTED, isExact: true });
  expect(upTo(COUNTED + 1)).toEqual({ total: COUNTED, isExact: false });
  const counts = { pending: 3, sent: COUNTED + 1, all: COUNTED + 4 };
  expect(countedUpTo(counts)).toEqual({ pending: 3, sent: COUNTED, all: COUNTED });
});
