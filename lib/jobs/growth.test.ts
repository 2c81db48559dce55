import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { growth } from "@/lib/jobs/growth";
import { retention } from "@/lib/privacy/retention";

const schema = readFileSync("prisma/schema.prisma", "utf8");

test("of every table it is written who makes it grow, what bounds it and when its rows go", () => {
  const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table);
  expect(tables.length).toBeGreaterThan(50);
  expect(Object.keys(growth).sort()).toEqual(tables.sort());
});

test("what is said to be deleted by its age is, and nothing else", () => {
  const aged = Object.entries(growth).flatMap(([table, { goes }]) => (goes === "retention" ? [table] : []));
  expect(aged.sort()).toEqual([...new Set(retention.map(({ table }) => table))].sort());
});
