import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newAlphanumeric, newId } from "@/lib/ids";
import { bacen } from "@/lib/rails/pix/bacen/adapter";
import document from "@/lib/rails/pix/bacen/api-pix.json" with { type: "json" };
import { tryBacen } from "@/lib/rails/pix/bacen/try";
import { problem, serveApiPix } from "@/lib/testing/api-pix";

// What the adapter makes of every error that the official document has for what it asks. A new one in the document fails here.

let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  psp = await serveApiPix();
});
afterAll(() => psp.close());
afterEach(() => {
  psp.between = undefined;
});

const rail = bacen(
  `problems-${newAlphanumeric(8)}`,
  () => psp.settings,
  () => new Date(0),
);

/** Whatever the adapter makes of an answer; `unknown` where it throws, so that it is asked again under the same id. */
type Meaning = "unknown" | "lost" | "failed" | "refused" | "issued" | "null" | "false" | "provider_answers_otherwise";
type Row = {
  asks: () => Promise<unknown>;
  /** By the status of each documented problem: its name, and what the adapter makes of it. */
  problems: Record<string, [name: string, meaning: Meaning]>;
};

const merchant = { description: "Pedido 7", accountId: newId(), merchantName: "Loja", merchantCity: "Recife" };
const code = () => ({ txid: newAlphanumeric(32), amount: 1_000, validMs: 60_000, ...merchant });
const due = { day: "2027-01-10", lastDay: "2027-01-20", debtor: { name: "Ana", document: "52998224725" } };
const refund = () => ({ endToEndId: psp.pay({ amount: 1_000 }).endToEndId, id: newAlphanumeric(32), amount: 400 });
const ours = "https://example.com/callbacks/pix/psp";

const order = () => ({
  ...{ txid: newAlphanumeric(32), mandateId: `RR8765432120261201${newAlphanumeric(11)}`, amount: 1_000 },
  ...{ dueDate: "2027-01-10", at: new Date() },
});
const offer = () => ({
  ...{ contract: newAlphanumeric(20), period: "monthly" as const, firstDate: "2027-01-10", amount: 1_000 },
  ...{ debtor: { name: "Ana", document: "52998224725" }, ...merchant, at: new Date() },
});
const automatic = () => {
  if (!rail.automatic) throw new Error("the PSP has an account");
  return rail.automatic;
};

const [denied, missing, down] = ["AcessoNegado", "NaoEncontrado", "ServicoIndisponivel"];

/** `lost` is asked anew, because nothing was done; `null` and `false` are what the PSP does not know. */
const table: Record<string, Row> = {
  "PUT /cob/{txid}": {
    asks: () => rail.requestCode(code()),
    problems: {
      400: ["CobOperacaoInvalida", "lost"],
      403: [denied, "lost"],
      404: [missing, "lost"],
      503: [down, "unknown"],
    },
  },
  "PUT /cobv/{txid}": {
    asks: () => rail.requestCode({ ...code(), due }), // a PSP that has none with a due day is asked for one without
    problems: {
      400: ["CobVOperacaoInvalida", "issued"],
      403: [denied, "issued"],
      404: [missing, "issued"],
      503: [down, "unknown"],
    },
  },
  "GET /cob/{txid}": {
    asks: () => rail.findCode(code()),
    problems: { 403: [denied, "unknown"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "GET /cobv/{txid}": {
    asks: () => rail.findCode(code()), // a client that may not read them has shown nobody a code
    problems: { 403: [denied, "null"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "PATCH /cob/{txid}": {
    asks: () => tryBacen("psp", psp.settings), // removes the charge of its trial
    problems: {
      400: ["CobOperacaoInvalida", "provider_answers_otherwise"],
      403: [denied, "provider_answers_otherwise"],
      404: [missing, "provider_answers_otherwise"],
      503: [down, "provider_answers_otherwise"],
    },
  },
  "GET /pix/{e2eid}": {
    asks: () => rail.received(psp.pay({ amount: 1_000 }).endToEndId),
    problems: { 403: [denied, "unknown"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "GET /pix": {
    asks: async () => {
      for await (const _ of rail.receivedWithin(new Date(Date.now() - 60_000), new Date()));
    },
    problems: { 403: [denied, "unknown"], 503: [down, "unknown"] },
  },
  "PUT /pix/{e2eid}/devolucao/{id}": {
    asks: () => rail.sendBack(refund()),
    problems: {
      400: ["PixDevolucaoInvalida", "failed"],
      403: [denied, "lost"],
      404: [missing, "failed"],
      503: [down, "unknown"],
    },
  },
  "GET /pix/{e2eid}/devolucao/{id}": {
    asks: () => rail.findSentBack(refund()),
    problems: { 403: [denied, "unknown"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "PUT /webhook/{chave}": {
    asks: () => rail.callBackAt?.(`${ours}/${newAlphanumeric(8)}`) ?? Promise.resolve(),
    problems: {
      400: ["WebhookOperacaoInvalida", "unknown"],
      403: [denied, "unknown"],
      404: [missing, "unknown"],
      503: [down, "unknown"],
    },
  },
  "GET /webhook/{chave}": {
    asks: () => rail.callsBackAt?.(ours) ?? Promise.resolve(),
    problems: { 403: [denied, "unknown"], 404: [missing, "false"], 503: [down, "unknown"] },
  },
  "POST /locrec": {
    asks: () => automatic().offerMandate(offer()),
    problems: { 403: [denied, "lost"], 503: [down, "unknown"] },
  },
  "POST /rec": {
    asks: () => automatic().offerMandate(offer()),
    problems: { 400: ["RecOperacaoInvalida", "refused"], 403: [denied, "lost"], 503: [down, "unknown"] },
  },
  "GET /rec": {
    asks: () => automatic().findMandate(offer()),
    problems: { 403: [denied, "unknown"], 503: [down, "unknown"] },
  },
  "GET /rec/{idRec}": {
    asks: () => automatic().readMandate(order().mandateId),
    problems: { 403: [denied, "unknown"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "PATCH /rec/{idRec}": {
    asks: () => automatic().cancelMandate(order().mandateId),
    problems: {
      400: ["RecOperacaoInvalida", "refused"],
      403: [denied, "unknown"],
      404: [missing, "refused"],
      503: [down, "unknown"],
    },
  },
  "PUT /cobr/{txid}": {
    asks: () => automatic().instructDebit(order()),
    problems: {
      400: ["CobROperacaoInvalida", "refused"],
      403: [denied, "lost"],
      404: [missing, "refused"],
      503: [down, "unknown"],
    },
  },
  "GET /cobr/{txid}": {
    asks: () => automatic().readDebit(order().txid),
    problems: { 403: [denied, "unknown"], 404: [missing, "null"], 503: [down, "unknown"] },
  },
  "PATCH /cobr/{txid}": {
    asks: () => automatic().cancelDebit(order()),
    problems: {
      400: ["CobROperacaoInvalida", "refused"],
      403: [denied, "unknown"],
      404: [missing, "refused"],
      503: [down, "unknown"],
    },
  },
  "POST /cobr/{txid}/retentativa/{data}": {
    asks: () => automatic().retryDebit({ ...order(), date: "2027-01-12" }),
    problems: {
      400: ["CobROperacaoInvalida", "refused"],
      403: [denied, "unknown"],
      404: [missing, "refused"],
      503: [down, "unknown"],
    },
  },
};

const rows = Object.entries(table).flatMap(([operation, { asks, problems }]) =>
  Object.entries(problems).map(([status, [name, meaning]]) => ({
    operation,
    status: Number(status),
    name,
    meaning,
    asks,
  })),
);

test.each(rows)("$operation: $status $name is $meaning", async ({ operation, status, name, meaning, asks }) => {
  const [method, path = ""] = operation.split(" ");
  const isIt = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
  let refused = 0;
  psp.between = async (asked, serve) => {
    if (asked.method !== method || !isIt.test(asked.path)) return serve();
    refused += 1;
    return problem(status, name);
  };
  const made = await asks().then(
    (value) => {
      if (typeof value !== "object" || value === null) return String(value);
      const { status, code } = value as { status?: string; code?: string };
      return status ?? code;
    },
    () => "unknown",
  );
  expect(made).toBe(meaning);
  expect(refused).toBeGreaterThan(0);
});

test.each(Object.entries(table))(
  "every problem that the document has for %s is in the table",
  (operation, { problems }) => {
    const [method = "", path = ""] = operation.split(" ");
    const paths = document.paths as unknown as Record<string, Record<string, { responses: object }>>;
    const documented = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).filter(
      (one) => !/^2/.test(one),
    );
    expect(Object.keys(problems)).toEqual(documented);
  },
);
