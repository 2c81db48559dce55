import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeIfChanged } from "./files.mjs";
import { root } from "./settings.mjs";

/** The sign-in library of the pages: Next always serves it, also behind the API host. */
const NEXT_ONLY = /^\/api\/(operator-)?auth(\/|$)/;

/** The pages for visitors who are not signed in. */
const OPEN = /^app\/\((staff-)?auth\)\//;

/**
 * Writes app/routes.generated.ts, which imports every route.ts under app/ with its path, so that the API host calls the
 * handlers without Next.
 */
export function writeRoutes() {
  const routes = find("app", "route.ts").filter(({ path }) => !NEXT_ONLY.test(path));
  const pages = find("app", "page.tsx");
  const lines = [
    "// Made by `npm run generate` from the folders under app/. Not to be edited.",
    ...routes.map(({ file }, i) => `import * as route${i} from "@/${file.replace(/\.ts$/, "")}";`),
    "",
    "/** Every route module with its path as Next spells it: `/api/partner/v1/transaction/[identifier]`. */",
    "export const routes = [",
    ...routes.map(({ path }, i) => `  { path: "${path}", module: route${i} },`),
    "] as const;",
    "",
    "/** Every page: its path as Next spells it, and whether a visitor may see it who is not signed in. */",
    "export const pages = [",
    ...pages.map(({ file, path }) => `  { path: "${path}", isOpen: ${OPEN.test(file)} },`),
    "] as const;",
    "",
  ];
  writeIfChanged(join(root, "app/routes.generated.ts"), lines.join("\n"));
}

/**
 * Every file `name` under a folder, with its path as Next spells it.
 *
 * @param {string} folder
 * @param {string} name
 * @returns {{ file: string, path: string }[]}
 */
function find(folder, name) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name.startsWith("_") ? [] : find(file, name);
      return entry.name === name ? [{ file, path: pathOf(folder) }] : [];
    });
}

/**
 * The path of a folder under app/. Folders in brackets group files and are no part of it.
 *
 * @param {string} folder
 */
function pathOf(folder) {
  const segments = folder.split("/").slice(1);
  return `/${segments.filter((segment) => !/^\(.*\)$/.test(segment)).join("/")}`;
}
