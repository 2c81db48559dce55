import { defineConfig } from "@playwright/test";

/** Run by `npm test`, which starts the built server and passes its address and the browser to use. */
export default defineConfig({
  testDir: ".",
  globalTeardown: "./reports.ts",
  outputDir: process.env.PLAYWRIGHT_OUTPUT_DIR ?? "../test-results",
  fullyParallel: true,
  workers: 3,
  timeout: 60_000,
  retries: 1, // a browser on a busy machine may be slow; the end of the run names the tests that were retried
  expect: { timeout: 10_000 },
  projects: [
    { name: "e2e", testMatch: "*.spec.ts" },
    { name: "count", testMatch: "pictures.count.ts", dependencies: ["e2e"] },
  ],
  use: {
    baseURL: process.env.APP_URL,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    contextOptions: { reducedMotion: "reduce" }, // what fades in has no contrast yet
    launchOptions: { executablePath: process.env.PLAYWRIGHT_CHROMIUM_PATH, args: ["--no-sandbox"] },
  },
});
