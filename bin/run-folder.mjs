import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./processes.mjs";

/** Begins the name of every folder of the tests. */
export const TEST_PREFIX = "repasse-test-";

/**
 * Makes a temporary folder that names this process, so that the next run can delete what a killed run left.
 *
 * @param {string} prefix
 */
export function makeRunFolder(prefix) {
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * The folders of runs that were killed before they could delete them.
 *
 * @param {string} prefix
 */
export function findLeftFolders(prefix) {
  return readdirSync(tmpdir()).flatMap((name) => {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : 0;
    return pid && !isAlive(pid) ? join(tmpdir(), name) : [];
  });
}
