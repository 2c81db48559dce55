import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins the names of the two files that take longest. */
const LONGEST = "/lib/subscriptions/year";

/** The longest files first, so that the others run beside them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.includes(LONGEST);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: {
    include: ["{lib,app,browser,components}/**/*.test.ts"],
    globalSetup: ["lib/testing/database.ts"],
    setupFiles: ["lib/testing/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 4,
    // A test that passes only the second time is printed as flaky, with why it failed.
    retry: 1,
    sequence: { sequencer: LongestFirst },
    // Test files share four processes, because loading the same modules for each file would take longer than the tests.
    // A file that changes its process (an address, a limit, the database) restores it.
    isolate: false,
    // Prisma's WebAssembly is compiled once and not optimised, which takes longer than it saves in a short life.
    execArgv: ["--liftoff-only"],
  },
});
