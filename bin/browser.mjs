import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { plainError } from "./lifecycle.mjs";
import { runQuietly } from "./processes.mjs";
import { root } from "./settings.mjs";

const INSTALLED = [
  "/usr/bin/chromium-headless-shell", // without the browser's own windows, which cost a third of a test's work
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The path of a Chromium that starts here. It tries, in this order: PLAYWRIGHT_CHROMIUM_PATH, Playwright's own, the
 * system's, the one from npm, and one that Playwright downloads.
 */
export async function findBrowser() {
  const wanted = process.env.PLAYWRIGHT_CHROMIUM_PATH;
  if (wanted) {
    if (await launch(wanted)) return wanted;
    throw plainError(`PLAYWRIGHT_CHROMIUM_PATH names ${wanted}, which does not start.`);
  }
  const own = await launch();
  if (own) return own;
  for (const path of INSTALLED.filter(existsSync)) {
    if (await launch(path)) return path;
  }
  const path = (await launchProvided(unpackBrowser)) ?? (await launchProvided(downloadBrowser));
  if (path) return path;
  throw plainError("The e2e tests need Chromium: apt-get install chromium, or set PLAYWRIGHT_CHROMIUM_PATH.");
}

/**
 * The path of the browser that `provide` installs, if it starts.
 *
 * @param {() => Promise<string | undefined>} provide
 */
async function launchProvided(provide) {
  try {
    return await launch(await provide());
  } catch {
    return undefined;
  }
}

/**
 * Starts a browser, opens a page, and returns the path of its program. Undefined when any of that fails.
 *
 * @param {string} [executablePath] Without it: Playwright's own.
 */
async function launch(executablePath) {
  const { chromium } = await import("@playwright/test");
  /** @type {import("@playwright/test").BrowserServer | undefined} */
  let server;
  try {
    server = await chromium.launchServer({ executablePath, chromiumSandbox: false });
    const browser = await chromium.connect(server.wsEndpoint());
    await (await browser.newPage()).goto("about:blank");
    return server.process().spawnfile;
  } catch {
    return undefined;
  } finally {
    await server?.close();
  }
}

/**
 * The browser inside @sparticuz/chromium, unpacked once beside the packages.
 *
 * The package holds the shared libraries and a font that a bare system lacks, so a small script starts it with those.
 */
async function unpackBrowser() {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("There is no build for this machine");
  const folder = join(root, "node_modules/.cache/repasse-chromium");
  const script = join(folder, "chromium.sh");
  if (existsSync(script)) return script;
  rmSync(folder, { recursive: true, force: true });
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await unpackInto(draft);
  writeFileSync(join(draft, "fonts.conf"), fontSettings(folder));
  writeFileSync(join(draft, "chromium.sh"), startScript(folder), { mode: 0o755 });
  renameSync(draft, folder);
  return script;
}

/**
 * The package unpacks to the folder for temporary files, which is ours meanwhile.
 *
 * @param {string} folder
 */
async function unpackInto(folder) {
  const { inflate } = await import("@sparticuz/chromium");
  const packed = join(
    dirname(dirname(createRequire(join(root, "package.json")).resolve("@sparticuz/chromium"))),
    "bin",
  );
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    for (const name of ["chromium.br", "al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]) {
      await inflate(join(packed, name));
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** @param {string} folder */
function fontSettings(folder) {
  const folders = ["/usr/share/fonts", "/usr/local/share/fonts", join(folder, "fonts")];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((path) => `  <dir>${path}</dir>`).join("\n")}
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}

/**
 * The system's own libraries come first where it has them.
 *
 * @param {string} folder
 */
function startScript(folder) {
  return `#!/bin/sh
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/lib/x86_64-linux-gnu:${folder}/al2023/lib"
export FONTCONFIG_FILE="${folder}/fonts.conf"
exec "${folder}/chromium" "$@"
`;
}

async function downloadBrowser() {
  await runQuietly("playwright install", [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"]);
  return undefined;
}
