import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { connected, ownerUrl } from "@/lib/testing/own-database";

const launcher = await import(pathToFileURL(join(process.cwd(), "bin", "migrations.mjs")).href);
const migrations: { name: string; text: string }[] = launcher.readMigrations();

/**
 * Makes a database as it was before the migration whose name ends so, runs `fill`, upgrades it by that migration and
 * answers what `read` reads then.
 */
export async function upgraded<T>(
  migration: string,
  fill: (client: pg.Client) => Promise<void>,
  read: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const at = migrations.findIndex(({ name }) => name.endsWith(migration));
  const name = `repasse_test_${randomBytes(6).toString("hex")}`;
  await connected(ownerUrl(), (owner) => owner.query(`create database ${name}`));
  const url = new URL(ownerUrl());
  url.pathname = `/${name}`;
  try {
    return await connected(url.href, async (client) => {
      for (const { text } of migrations.slice(0, at)) await client.query(text);
      await client.query("select set_config('app.accounts', '*', false)");
      await fill(client);
      await client.query("select set_config('app.accounts', '', false)");
      await client.query(`begin; ${migrations[at]?.text ?? ""}; commit`);
      await client.query("select set_config('app.accounts', '*', false)");
      return read(client);
    });
  } finally {
    await connected(ownerUrl(), (owner) => owner.query(`drop database ${name} with (force)`));
  }
}
