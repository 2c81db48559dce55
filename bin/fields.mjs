import { join } from "node:path";
import { writeIfChanged } from "./files.mjs";
import { root } from "./settings.mjs";

/** What browsers get of each page without Next: its folder, the name of each export, and the file that it begins in. */
const pages = {
  fields: { script: "mount.ts", frame: "frame.ts", look: "look.css" },
  checkout: { script: "browser.ts", look: "look.css" },
};

/**
 * Writes browser.generated.ts of the card fields and of the checkout: their scripts and style sheets as texts, so that
 * their routes serve them from memory, both in the API host and in Next.
 */
export async function writeFields() {
  const esbuild = await import("esbuild");
  for (const [folder, parts] of Object.entries(pages)) await writePage(esbuild, folder, parts);
  await esbuild.stop();
}

/**
 * @param {typeof import("esbuild")} esbuild
 * @param {string} folder
 * @param {Record<string, string>} parts
 */
async function writePage(esbuild, folder, parts) {
  const lines = ["// Made by `npm run generate` from the files beside it. Not to be edited."];
  for (const [name, file] of Object.entries(parts)) {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [`browser/${folder}/${file}`],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2022",
      legalComments: "none",
      logLevel: "error",
    });
    const text = outputFiles
      .map((output) => output.text)
      .join("")
      .trim();
    if (/<\/(script|style)/i.test(text)) throw new Error(`${file} would end the element that it is written into.`);
    lines.push(`export const ${name} = ${JSON.stringify(text)};`);
  }
  writeIfChanged(join(root, `browser/${folder}/browser.generated.ts`), `${lines.join("\n")}\n`);
}
