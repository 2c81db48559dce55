import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { routes } from "@/app/routes.generated";
import { errors } from "@/lib/errors";
import { codesOf } from "@/lib/http/contract";
import { openHost, operationsOf } from "@/lib/testing/http";
import { catalogue } from "@/lib/webhooks/catalogue";

const host = openHost(routes);
/** Partners' operations, without the APIs of the dashboard and the staff. */
const operations = operationsOf(routes).filter(({ path }) => !/^\/api\/(dashboard|operator)\//.test(path));

type Documented = {
  operationId: string;
  summary: string;
  description?: string;
  security: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { description: string; content: { "application/json": { schema: object } } }>;
};
type Received = {
  description: string;
  parameters: { name: string }[];
  requestBody: { content: { "application/json": { schema: object; example: object } } };
};
type Document = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Documented>>;
  webhooks: Record<string, { post: Received }>;
};

const read = async () => (await host.ask("GET", "/api/openapi.json")).json as unknown as Document;

const nameOf = (path: string) => path.replaceAll("[", "{").replaceAll("]", "}");

test("every partners' operation is in the document, and the document has no other", async () => {
  const { openapi, paths, servers } = await read();
  expect(openapi).toBe("3.1.0");
  expect(servers).toEqual([{ url: expect.stringMatching(/^http/) }]);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(found.sort()).toEqual(operations.map(({ method, path }) => `${method} ${nameOf(path)}`).sort());
});

test.each(operations)("$method $path is documented as its contract has it", async ({ method, path, contract }) => {
  const { paths } = await read();
  const documented = paths[nameOf(path)]?.[method.toLowerCase()];
  if (!documented) throw new Error("it is not in the document");
  expect(documented.summary).toBe(contract.summary);
  expect(documented.description).toBe(contract.description);
  // A public key can only tokenize cards.
  const isOpenToAll = ["none", "public_key"].includes(contract.auth ?? "account");
  expect(isOpenToAll || (contract.scopes?.length ?? 0) > 0, "whoever is known still needs a permission").toBe(true);
  expect(documented.requestBody !== undefined).toBe(contract.body !== undefined || contract.file !== undefined);
  expect(documented.security.length === 0).toBe(contract.auth === "none");
  const inPath = documented.parameters?.filter((parameter) => parameter.in === "path").map(({ name }) => name) ?? [];
  expect(inPath).toEqual([...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name));
  expect(documented.responses[contract.status ?? 200]).toBeDefined();
  for (const code of codesOf(contract, method)) {
    const [status] = errors[code];
    expect(documented.responses[status]?.description, code).toContain(code);
  }
  if (contract.auth !== "none") expect(documented.responses).toMatchObject({ 401: {}, 403: {}, 429: {} });
});

test("every body that a webhook may be sent is in the document, with an example that fits its schema", async () => {
  const { webhooks } = await read();
  expect(Object.keys(webhooks).sort()).toEqual(
    catalogue()
      .map(({ key }) => key)
      .sort(),
  );
  for (const [key, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content["application/json"];
    expect(z.fromJSONSchema(schema as never).parse(example), key).toEqual(example);
    expect(post.description, key).toContain("A webhook gets it that is registered for");
    expect(post.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["webhook-id", "webhook-signature"]),
    );
  }
  expect(webhooks["cashin.update"]?.post.description).toContain("registered for cashin or all. The token is sent as");
});

test("the document passes all of Redocly's recommended rules", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "repasse-openapi-"));
  const file = join(folder, "openapi.json");
  writeFileSync(file, (await host.ask("GET", "/api/openapi.json")).text);
  writeFileSync(join(folder, "redocly.yaml"), "extends: [recommended]\n");
  const cli = join(process.cwd(), "node_modules/@redocly/cli/bin/cli.js");
  const args = [cli, "lint", file, "--format=json", `--config=${join(folder, "redocly.yaml")}`];
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...quiet } });
  rmSync(folder, { recursive: true });
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  const found = problems.map((problem: { ruleId: string; message: string }) => `${problem.ruleId}: ${problem.message}`);
  expect(found).toEqual([]);
  expect({ totals, status }).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, status: 0 });
});
