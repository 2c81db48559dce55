import { expect, test } from "vitest";
import { bacenClient } from "@/lib/rails/pix/bacen/client";
import { serveApiPix } from "@/lib/testing/api-pix";

const TXID = "7978c0c97ea847e78e8849634473c1f1";
const cob = { calendario: { expiracao: 60 }, valor: { original: "0.01" }, chave: "a@b.co" };
const window = "inicio=2026-11-27T00:00:00Z&fim=2026-11-27T01:00:00Z";
const person = { cpf: "52998224725", nome: "Ana" };

test.each<[string, string, "GET" | "PUT" | "POST", object | undefined, number]>([
  ["a charge", `/cob/${TXID}`, "PUT", cob, 0],
  ["a charge of a person", `/cob/${TXID}`, "PUT", { ...cob, devedor: person }, 0],
  ["a window", `/pix?${window}`, "GET", undefined, 0],
  ["a path that there is not", "/cobranca", "GET", undefined, 1],
  ["a method that a path has not", `/cob/${TXID}`, "POST", cob, 1],
  ["a txid that is too long", `/cob/${TXID}1234`, "PUT", cob, 1],
  ["no body", `/cob/${TXID}`, "PUT", undefined, 1],
  ["an amount of three decimals", `/cob/${TXID}`, "PUT", { ...cob, valor: { original: "0.010" } }, 1],
  ["a CPF with its points", `/cob/${TXID}`, "PUT", { ...cob, devedor: { ...person, cpf: "529.982.247-25" } }, 1],
  ["a window without its end", "/pix?inicio=2026-11-27T00:00:00Z", "GET", undefined, 1],
  ["a page that is too large", `/pix?${window}&paginacao.itensPorPagina=1001`, "GET", undefined, 1],
])("the PSP of tests holds %s against the official document", async (_, path, method, body, wrong) => {
  const psp = await serveApiPix();
  const ask = bacenClient(`documented-${crypto.randomUUID()}`, () => psp.settings);
  const { status } = await ask(path, { method, ...(body && { body }) });
  expect(psp.faults).toHaveLength(wrong);
  if (wrong) expect(status, "it is refused").toBe(400);
  await (wrong ? expect(psp.close()).rejects.toThrow("API Pix") : psp.close());
});
