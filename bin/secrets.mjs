import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./files.mjs";
import { plainError } from "./lifecycle.mjs";

/** @import { Env } from "./settings.mjs" */
/** @typedef {keyof typeof SERVER_SECRETS} ServerSecret */
/** @typedef {Record<ServerSecret | "POSTGRES_PASSWORD", string>} Secrets */

const random = () => randomBytes(32).toString("base64url");

/** What the server cannot do without, and how each is made. */
const SERVER_SECRETS = {
  SESSION_SECRET: random,
  VAULT_KEYS: () => `k1:${randomBytes(32).toString("base64")}`,
  CARD_FINGERPRINT_KEY: random,
  SIMULATOR_SECRET: random,
};
const names = /** @type {ServerSecret[]} */ (Object.keys(SERVER_SECRETS));

/** @param {string} dataDir */
export const secretsFile = (dataDir) => join(dataDir, "secrets.env");

/**
 * The server's secrets out of an environment that may hold more.
 *
 * @param {Env} env
 */
export const serverSecrets = (env) => Object.fromEntries(names.map((name) => [name, env[name]]));

/**
 * An environment without the server's secrets.
 *
 * @param {Env} env
 * @returns {Env}
 */
export const withoutSecrets = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(SERVER_SECRETS, name)));

/**
 * Throws a plain error that names the secrets the environment lacks: with DATABASE_URL none is made up.
 *
 * @param {Env} env
 * @returns {asserts env is Env & Record<ServerSecret, string>}
 */
export function requireSecrets(env) {
  const missing = names.filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw plainError(`With DATABASE_URL set, ${missing.join(", ")} must be set too.`);
}

/**
 * Reads DATA_DIR/secrets.env, and adds what the file lacks. The environment wins over the file, except for the
 * database's password.
 *
 * @param {string} dataDir
 * @param {Env} [env]
 * @returns {Secrets}
 */
export function readOrMakeSecrets(dataDir, env = process.env) {
  const kept = readSecrets(dataDir);
  const made = { POSTGRES_PASSWORD: kept.POSTGRES_PASSWORD ?? random() };
  const ours = names.map((name) => [name, kept[name] ?? SERVER_SECRETS[name]()]);
  const secrets = /** @type {Secrets} */ ({ ...Object.fromEntries(ours), ...made });
  if (Object.keys(secrets).some((name) => !(name in kept))) writeSecrets(dataDir, { ...kept, ...secrets });
  for (const name of names) secrets[name] = env[name] || secrets[name];
  return secrets;
}

/**
 * The values of DATA_DIR/secrets.env by name: none when there is no file.
 *
 * @param {string} dataDir
 * @returns {Env}
 */
export function readSecrets(dataDir) {
  const file = secretsFile(dataDir);
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/**
 * @param {string} dataDir
 * @param {Env} secrets
 */
function writeSecrets(dataDir, secrets) {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  const title = "# Made on the first start. Keep it with a backup of the database.";
  replaceFile(secretsFile(dataDir), `${title}\n${lines.join("")}`);
}
