import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "./fixtures";

test("npm run demo plays a partner from token to verified webhook", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/repasse.mjs", "demo"]);
  expect(stdout).toContain("every step agreed to the cent");
});
