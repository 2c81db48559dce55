import { expect, test } from "vitest";
import { sweep } from "@/lib/sweep";

/** `count` items that are due, in order; those below `failing` fail. */
function due(count: number, failing: number) {
  const [left, tried] = [new Set(Array.from({ length: count }, (_, id) => id)), [] as number[]];
  const find = async (limit: number, except: number[]) =>
    [...left]
      .filter((id) => !except.includes(id))
      .slice(0, limit)
      .map((id) => ({ id }));
  const act = async ({ id }: { id: number }) => {
    tried.push(id);
    if (id < failing) throw new Error(`not ${id}`);
    left.delete(id);
  };
  return { find, act, left, tried };
}

test("everything that is due is done once, whatever its number", async () => {
  const { find, act, left, tried } = due(1_200, 0);
  expect(await sweep(find, act)).toBe(1_200);
  expect(left.size).toBe(0);
  expect(tried).toHaveLength(1_200);
});

test("an item that fails is tried once, does not stop the others, and its error is thrown at the end", async () => {
  const { find, act, left, tried } = due(1_300, 1_100);
  const error = await sweep(find, act).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AggregateError);
  expect((error as AggregateError).errors).toHaveLength(1_100);
  expect((error as Error).message).toContain("1100 items that were due were not done: 0, 1, 2, ");
  expect(left.size).toBe(1_100);
  expect(new Set(tried).size).toBe(1_300);
  expect(tried).toHaveLength(1_300);
});
