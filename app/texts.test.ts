import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogues } from "@/messages/catalogues";

const IMPORT = /\bfrom\s+"@\/([^"]+)"|\bimport\("@\/([^"]+)"\)/g;

/** The files that a file of the browser's code imports, also lazily. */
function importsOf(file: string): string[] {
  const targets = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, from, lazy]) => from ?? lazy ?? "");
  return targets
    .filter((target) => target.startsWith("components/"))
    .map((target) => [`${target}.tsx`, `${target}.ts`].find((name) => existsSync(name)))
    .filter((name) => name !== undefined);
}

function reachedFrom(files: string[]): Set<string> {
  const reached = new Set(files);
  for (const file of reached) for (const target of importsOf(file)) reached.add(target);
  return reached;
}

/** The parts of the catalogue that the browser needs for these files and all that they import. */
function usedBy(files: string[]): Set<string> {
  const texts = [...reachedFrom(files)].map((file) => readFileSync(file, "utf8"));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/useTranslations\(["`](\w+)/g)].map(([, name = ""]) => name)),
  );
}

/** The parts that a layout or a page sends. */
function sentBy(file: string): string[] {
  const list = /layoutWith\(([^)]*)\)|\btexts(?: =|:) \[([^\]]*)\]/.exec(readFileSync(file, "utf8"));
  return [...(list?.[1] ?? list?.[2] ?? "").matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
}

const folders = readdirSync("app", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /^(page|layout)\.tsx$/.test(entry.name))
  .map((entry) => entry.parentPath);
const shown = (folder: string) =>
  ["page", "layout", "loading", "error", "not-found"].map((name) => `${folder}/${name}.tsx`).filter(existsSync);
const layoutsAround = (folder: string): string[] => {
  const own = existsSync(`${folder}/layout.tsx`) ? [`${folder}/layout.tsx`] : [];
  return folder === "app" ? own : [...layoutsAround(dirname(folder)), ...own];
};

describe("texts", () => {
  test.each([...new Set(folders)])("a page of %s is sent every text that it uses", (folder) => {
    const sent = [...layoutsAround(folder), `${folder}/page.tsx`].filter(existsSync).flatMap(sentBy);
    expect([...usedBy(shown(folder))].filter((name) => !sent.includes(name))).toEqual([]);
    expect(new Set(sent).size, "and none twice").toBe(sent.length);
  });

  test.each(folders.flatMap((folder) => layoutsAround(folder).slice(-1)))(
    "%s sends no text that nobody below uses",
    (layout) => {
      const below = folders.filter((folder) => `${folder}/`.startsWith(`${dirname(layout)}/`));
      const used = usedBy(below.flatMap(shown));
      expect(sentBy(layout).filter((name) => !used.has(name))).toEqual([]);
    },
  );

  test.each(folders.map((folder) => `${folder}/page.tsx`).filter(existsSync))(
    "%s sends no text that it does not use",
    (page) => {
      const used = usedBy([page]);
      expect(sentBy(page).filter((name) => !used.has(name))).toEqual([]);
    },
  );

  test("every use names its part of the catalogue literally, so that these tests can read it", () => {
    const files = readdirSync("components", { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8"));
    const calls = files.flatMap((text) =>
      [...text.matchAll(/useTranslations\(["`]?(\w*)/g)].map(([, name = ""]) => name),
    );
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.filter((name) => !(name in catalogues.en))).toEqual([]);
  });

  test("no part of the catalogue is in two files", () => {
    const names = readdirSync("messages/en").flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(`messages/en/${file}`, "utf8"))),
    );
    expect(names.sort()).toEqual(Object.keys(catalogues.en).sort());
  });
});
