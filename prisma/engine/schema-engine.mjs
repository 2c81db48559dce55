#!/usr/bin/env node
// Replaces Prisma's native `schema-engine`: it speaks the same JSON-RPC over standard input and output. The engine is
// the WebAssembly build from npm over node-postgres, so that migrations need no other download.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { codeOf, messageOf } from "../../bin/faults.mjs";
import { adapterFactory } from "./adapter.mjs";
import { checkConnection, createDatabase, prismaCode } from "./databases.mjs";
import { loadSchemaEngine } from "./wasm.mjs";

/** @typedef {(params?: any) => unknown} Method A method of the protocol. Its parameters are its own. */
/** @typedef {{ id: number, method: string, params?: unknown }} Request */

const RPC_SERVER_ERROR = 4466;
/** A print is a request of ours. Its id must differ from the ids of the caller's requests. */
const FIRST_PRINT_ID = 1_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datasource: { type: "string" }, datamodels: { type: "string", multiple: true, short: "d" } },
});
/** @type {import("./adapter.mjs").Datasource} */
const datasource = typeof values.datasource === "string" ? JSON.parse(values.datasource) : {};

if (positionals[0] === "cli") await runOnce(positionals[1]);
else serve();

/**
 * `cli can-connect-to-database` and `cli create-database` answer with an exit code, and the reason on standard error.
 *
 * @param {string | undefined} command
 */
async function runOnce(command) {
  try {
    await (command === "create-database" ? createDatabase(requireUrl()) : checkConnection(requireUrl()));
    process.exit(0);
  } catch (error) {
    const fields = { message: reasonOf(error), error_code: prismaCode(error) ?? "P1001" };
    const line = { timestamp: new Date().toISOString(), level: "ERROR", fields, target: "schema_engine::logger" };
    process.stderr.write(`\n${JSON.stringify(line)}`);
    process.exitCode = 1;
  }
}

/** Answers requests in the order they came, because the engine handles one at a time. */
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

/**
 * @param {(method: string, params: unknown) => Promise<any>} call
 * @param {Request} request
 */
async function answer(call, { id, method, params }) {
  try {
    const result = (await call(method, params)) ?? null;
    if (method === "diff" && result?.stdout) {
      send({ id: FIRST_PRINT_ID + id, method: "print", params: { content: result.stdout } });
    }
    send({ id, result });
  } catch (error) {
    const data = {
      is_panic: false,
      message: reasonOf(error),
      error_code: prismaCode(error),
      meta: error instanceof Error && "meta" in error ? error.meta : null,
    };
    send({
      id,
      error: { code: RPC_SERVER_ERROR, message: "An error happened. Check the data field for details.", data },
    });
  }
}

function engineMethods() {
  /** @type {Promise<any> | undefined} */
  let starting;
  const engine = () => {
    starting ??= startEngine();
    return starting;
  };
  /**
   * This build reads its shadow database only in diagnoseMigrationHistory. Two methods need what that call cached.
   *
   * @param {string} method
   * @returns {Method}
   */
  const afterShadow = (method) => async (params) => {
    const { migrationsList, filters } = params;
    await (await engine()).diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true });
    return (await engine())[method](params);
  };
  /** @type {Record<string, Method>} */
  const own = {
    createDatabase: () => createDatabase(requireUrl()),
    ensureConnectionValidity: () => checkConnection(requireUrl()),
    getDatabaseVersion: async (params) => (await engine()).version(params),
    evaluateDataLoss: afterShadow("evaluateDataLoss"),
    createMigration: afterShadow("createMigration"),
  };
  /**
   * @param {string} method
   * @param {unknown} params
   */
  return async (method, params) => (own[method] ? own[method](params) : (await engine())[method](params));
}

function requireUrl() {
  if (!datasource.url) throw new Error("DATABASE_URL is not set");
  return datasource.url;
}

function startEngine() {
  const files = [values.datamodels ?? []].flat().map(String);
  /** @type {[string, string][] | undefined} */
  const datamodels = values.datamodels && files.map((file) => [file, readFileSync(file, "utf8")]);
  const factory = bindMigrationAwareSqlAdapterFactory(adapterFactory(datasource));
  return loadSchemaEngine().new({ datamodels }, () => {}, factory);
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/**
 * Node reports a refused connection to several addresses with an empty message.
 *
 * @param {unknown} error
 */
function reasonOf(error) {
  return messageOf(error) || `Can't reach the database server (${codeOf(error) ?? error})`;
}
