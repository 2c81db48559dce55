import { join } from "node:path";
import { writeIfChanged } from "./files.mjs";
import { root } from "./settings.mjs";

/** What browsers get of the card fields: the name of each export, and the file that it begins in. */
const parts = { script: "mount.ts", frame: "frame.ts", look: "look.css" };

/**
 * Writes components/fields/browser.generated.ts: the scripts and the style sheet of the card fields as texts, so that
 * their routes serve them from memory, both in the API host and in Next.
 */
export async function writeFields() {
  const esbuild = await import("esbuild");
  const lines = ["// Made by `npm run generate` from the files beside it. Not to be edited."];
  for (const [name, file] of Object.entries(parts)) {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [`components/fields/${file}`],
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
  await esbuild.stop();
  writeIfChanged(join(root, "components/fields/browser.generated.ts"), `${lines.join("\n")}\n`);
}
