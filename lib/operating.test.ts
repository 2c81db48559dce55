import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingNames } from "@/lib/env";

const text = readFileSync("docs/operating.md", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** The launcher's sources, which read the settings that the program does not. */
const launcher = readdirSync("bin")
  .filter((file) => file.endsWith(".mjs") && !file.includes(".test."))
  .map((file) => readFileSync(`bin/${file}`, "utf8"))
  .join("\n");

/** What the launcher sets for the program, and nobody else. */
const INTERNAL = ["NODE_ENV", "DATABASE_PROGRAM_URL", "DIRECT_PROGRAM_URL"];
/** What only the launcher reads. */
const ITS_OWN = ["DATABASE_URL", "DIRECT_URL", "SEED_DEMO"];

const table = text.split("\n").filter((line) => /^\| `/.test(line));
const inTable = table.flatMap((line) =>
  [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
);

test("the table of settings has those that the program and its launcher read, and no others", () => {
  const known = [...settingNames().filter((name) => !INTERNAL.includes(name)), ...ITS_OWN];
  expect([...inTable].sort()).toEqual([...known].sort());
  expect(ITS_OWN.filter((name) => !launcher.includes(name))).toEqual([]);
});

test("every setting that the text names is read by something", () => {
  const named = new Set([...text.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, ran, name = ""]) => ran ?? name));
  expect(named.size).toBeGreaterThan(20);
  const others = [...named].filter((name) => !inTable.includes(name) && !launcher.includes(name));
  expect(others).toEqual([]);
});

test("every command that the documents name exists", () => {
  const files = ["README.md", "docs/operating.md", "docs/monitoring/alerts.yml"];
  const named = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/npm (?:run ([a-z-]+)|(start|test)\b)/g)].map(
      ([, ran, name = ""]) => ran ?? name,
    ),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !scripts[name])).toEqual([]);
  for (const command of Object.values(scripts).filter((one) => one.includes("bin/repasse.mjs"))) {
    const name = command.split(" ").at(-1) ?? "";
    expect(readFileSync("bin/repasse.mjs", "utf8")).toMatch(new RegExp(`^ {2}"?${name}"?: async`, "m"));
  }
});
