import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: {
    include: ["{lib,app,components}/**/*.test.ts"],
    globalSetup: ["lib/testing/database.ts"],
    setupFiles: ["lib/testing/console.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 3,
    // Test files share three processes, because loading the same modules for each file would take longer than the tests.
    // A file that changes its process (an address, a limit, the database) restores it.
    isolate: false,
  },
});
