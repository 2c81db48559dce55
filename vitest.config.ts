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
    // Most of the time would go into loading the same modules again: files share three processes. What one changes in
    // its process (an address, a limit, the database) it puts back.
    isolate: false,
  },
});
