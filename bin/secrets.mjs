import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sentence } from "./lifecycle.mjs";

const random = () => randomBytes(32);

/** What the server cannot do without, and how one is made. */
const SERVER_SECRETS = {
  SESSION_SECRET: () => random().toString("base64url"),
  VAULT_KEYS: () => `k1:${random().toString("base64")}`,
  CARD_FINGERPRINT_KEY: () => random().toString("base64url"),
  SIMULATOR_SECRET: () => random().toString("base64url"),
};

/** The server's secrets out of an environment that may hold more. */
export const serverSecrets = (env) => Object.fromEntries(Object.keys(SERVER_SECRETS).map((name) => [name, env[name]]));

/** An environment without them. */
export const withoutSecrets = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(SERVER_SECRETS, name)));

/** Throws a sentence naming the secrets that the environment lacks: with DATABASE_URL we make up none. */
export function requireSecrets(env = process.env) {
  const missing = Object.keys(SERVER_SECRETS).filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw sentence(`With DATABASE_URL set, ${missing.join(", ")} must be set too.`);
}

/** Reads DATA_DIR/secrets.env, and adds what it lacks. The environment wins over the file, but for the password. */
export function readOrMakeSecrets(dataDir, env = process.env) {
  const file = join(dataDir, "secrets.env");
  const kept = readSecrets(file);
  const made = { ...SERVER_SECRETS, POSTGRES_PASSWORD: () => random().toString("base64url") };
  for (const [name, make] of Object.entries(made)) made[name] = kept[name] ?? make();
  if (Object.keys(made).some((name) => !(name in kept))) writeSecrets(file, { ...kept, ...made });
  const ours = Object.keys(SERVER_SECRETS).filter((name) => env[name]);
  return { ...made, ...Object.fromEntries(ours.map((name) => [name, env[name]])) };
}

/** The file's values by name; none when there is no file. */
export function readSecrets(file) {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  return Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** Replaced whole: a half-written file would lose the key of everything sealed. */
function writeSecrets(file, secrets) {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  const draft = `${file}.new`;
  writeFileSync(draft, `# Made on the first start. Keep it with a backup of the database.\n${lines.join("")}`, {
    mode: 0o600,
  });
  renameSync(draft, file);
}
