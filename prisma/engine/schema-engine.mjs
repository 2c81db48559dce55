#!/usr/bin/env node
// Stands in for Prisma's native `schema-engine`: the same JSON-RPC over standard input and output, but the engine is
// the WebAssembly build from npm over node-postgres, so that migrations need no download from elsewhere.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { adapterFactory } from "./adapter.mjs";
import { checkConnection, createDatabase, prismaCode } from "./databases.mjs";
import { loadSchemaEngine } from "./wasm.mjs";

const RPC_SERVER_ERROR = 4466;
/** Prints are requests of ours: their ids must not meet the caller's. */
const FIRST_PRINT_ID = 1_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datasource: { type: "string" }, datamodels: { type: "string", multiple: true, short: "d" } },
});
const datasource = values.datasource ? JSON.parse(values.datasource) : {};

if (positionals[0] === "cli") await runOnce(positionals[1]);
else serve();

/** `cli can-connect-to-database` and `cli create-database`: an exit code, and the reason on standard error. */
async function runOnce(command) {
  try {
    await (command === "create-database" ? createDatabase(datasource.url) : checkConnection(datasource.url));
    process.exit(0);
  } catch (error) {
    const fields = { message: reasonOf(error), error_code: prismaCode(error) ?? "P1001" };
    const line = { timestamp: new Date().toISOString(), level: "ERROR", fields, target: "schema_engine::logger" };
    process.stderr.write(`\n${JSON.stringify(line)}`);
    process.exitCode = 1;
  }
}

/** Answers requests in the order they came; the engine is not made for two at once. */
function serve() {
  const methods = engineMethods();
  let queue = Promise.resolve();
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const request = line.trim() ? JSON.parse(line) : {};
    if (request.method) queue = queue.then(() => answer(methods, request));
  });
  lines.on("close", () => queue.then(() => process.exit(0)));
}

async function answer(methods, { id, method, params }) {
  try {
    const result = (await methods(method, params)) ?? null;
    if (method === "diff" && result?.stdout) {
      send({ id: FIRST_PRINT_ID + id, method: "print", params: { content: result.stdout } });
    }
    send({ id, result });
  } catch (error) {
    const data = {
      is_panic: false,
      message: reasonOf(error),
      error_code: prismaCode(error),
      meta: error?.meta ?? null,
    };
    send({
      id,
      error: { code: RPC_SERVER_ERROR, message: "An error happened. Check the data field for details.", data },
    });
  }
}

function engineMethods() {
  let starting;
  const engine = () => {
    starting ??= startEngine();
    return starting;
  };
  // This build reaches its shadow database only from diagnoseMigrationHistory; two methods read what that cached.
  const afterShadow = (method) => async (params) => {
    const { migrationsList, filters } = params;
    await (await engine()).diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true });
    return (await engine())[method](params);
  };
  const own = {
    createDatabase: () => createDatabase(datasource.url),
    ensureConnectionValidity: () => checkConnection(datasource.url),
    getDatabaseVersion: async (params) => (await engine()).version(params),
    evaluateDataLoss: afterShadow("evaluateDataLoss"),
    createMigration: afterShadow("createMigration"),
  };
  return async (method, params) => (own[method] ? own[method](params) : (await engine())[method](params));
}

function startEngine() {
  const datamodels = values.datamodels?.map((file) => [file, readFileSync(file, "utf8")]);
  const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(datasource));
  return loadSchemaEngine().new({ datamodels }, () => {}, factory);
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** Node reports a refused connection to several addresses with an empty message. */
function reasonOf(error) {
  return error?.message || `Can't reach the database server (${error?.code ?? error})`;
}
