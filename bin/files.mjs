import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * Writes a generated file only when its text changed, because dev servers watch it.
 *
 * @param {string} file
 * @param {string} text
 */
export function writeIfChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/**
 * Replaces a file that only its owner may read. An interrupted write leaves the old file whole.
 *
 * @param {string} file
 * @param {string} text
 */
export function replaceFile(file, text) {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/**
 * Reads a JSON file of ours, or returns undefined when there is none.
 *
 * @param {string} file
 */
export function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
