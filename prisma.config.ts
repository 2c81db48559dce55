import { chmodSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "prisma/config";

// This file is loaded before the CLI looks for its engine, so it can name another one.
if (!process.env.PRISMA_SCHEMA_ENGINE_BINARY && !hasNativeEngine()) {
  const engine = join(import.meta.dirname, "prisma/engine/schema-engine.mjs");
  makeExecutable(engine);
  process.env.PRISMA_SCHEMA_ENGINE_BINARY = engine;
}

const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  ...(url ? { datasource: { url } } : {}),
});

/** The native engine comes from a host that is not a package registry, so it is often missing. */
function hasNativeEngine(): boolean {
  const require = createRequire(import.meta.url);
  const folder = dirname(
    require.resolve("@prisma/engines/package.json", { paths: [require.resolve("prisma/package.json")] }),
  );
  return readdirSync(folder).some((name) => name.startsWith("schema-engine-"));
}

/** Archives and some file systems lose the executable bit that git keeps. */
function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // The file belongs to another user, and probably has the bit already.
  }
}
