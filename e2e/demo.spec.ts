import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { env } from "@/lib/env";
import { limits } from "@/lib/limits";
import { expect, test } from "./fixtures";

const AGREED = "every step agreed to the cent";

async function runDemo(dataDir = env.DATA_DIR): Promise<string> {
  const options = { env: { ...process.env, DATA_DIR: dataDir } };
  return (await promisify(execFile)(process.execPath, ["bin/repasse.mjs", "demo"], options)).stdout;
}

test("npm run demo plays a partner from token to verified webhook", async () => {
  expect(await runDemo()).toContain(AGREED);
});

test("the demo works again and again for a seller of before there were plans, whose killed demos left webhooks", async ({
  seller,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "repasse-demo-"));
  const { clientId: client_id, clientSecret: client_secret } = seller;
  const logins = {
    url: env.APP_URL,
    seller: { client_id, client_secret },
    recipient: { client_id: await seller.recipient() },
  };
  writeFileSync(join(dataDir, "demo.json"), JSON.stringify(logins));
  const left = { title: "Demo", event: "transaction", trigger_all_products: true, url: "http://127.0.0.1:9/hooks" };
  for (let made = 0; made < limits.webhooks; made++) await seller.api("POST", "/api/partner/v1/webhooks", left);
  for (let run = 0; run < 2; run++) expect(await runDemo(dataDir)).toContain(AGREED);
  rmSync(dataDir, { recursive: true });
});
