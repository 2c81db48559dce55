import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAlphanumeric, newId } from "@/lib/ids";
import { bacen } from "@/lib/rails/pix/bacen/adapter";
import { callbacksIn } from "@/lib/rails/pix/bacen/callbacks";
import { withoutNulls } from "@/lib/rails/pix/bacen/client";
import { tryBacen } from "@/lib/rails/pix/bacen/try";
import { type Answer, type Asked, serveApiPix } from "@/lib/testing/api-pix";

// What a PSP may answer and seldom does: optional members that it leaves out, other states, other forms of the same.

let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  psp = await serveApiPix();
});
afterAll(() => psp.close());
afterEach(() => {
  psp.between = undefined;
});

const rail = bacen(
  `lawful-${newAlphanumeric(8)}`,
  () => psp.settings,
  () => new Date(0),
);
const hex = (id: string) => id.replaceAll("-", "");

type Json = Record<string, unknown>;
/** Has the PSP write its answers to requests by a method at a path otherwise. */
function rewrite(method: string, path: RegExp, change: (body: Json, asked: Asked) => object): void {
  psp.between = async (asked, serve) => {
    const answer = serve();
    const isIt = asked.method === method && path.test(asked.path) && answer.status < 300;
    return isIt ? { ...answer, body: change(structuredClone(answer.body ?? {}) as Json, asked) } : answer;
  };
}
const page = (more: object) => ({ paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, ...more });
const listOnly = (pix: object) =>
  rewrite("GET", /^\/pix$/, ({ parametros }) => ({
    parametros: { ...(parametros as Json), paginacao: page({ quantidadeTotalDeItens: 1 }) },
    pix: [pix],
  }));
const refuse = (method: string, path: RegExp, answer: Answer) => {
  psp.between = async (asked, serve) => (asked.method === method && path.test(asked.path) ? answer : serve());
};
const aProblem = (status: number, more: object = {}): Answer => ({
  status,
  body: { type: "https://pix.bcb.gov.br/api/v2/error/Outro", title: "Outro", status, ...more },
});

describe("a code", () => {
  const asked = () => ({ txid: newAlphanumeric(32), amount: 1_000 });
  const request = (one: ReturnType<typeof asked>) =>
    rail.requestCode({ ...one, accountId: newId(), validMs: 60_000, merchantName: "Loja", merchantCity: "Recife" });
  const issued = { status: "issued", code: expect.stringMatching(/^000201/) };

  test("is read of a charge whose place is written as in the document's own example, and of one without a place", async () => {
    rewrite("PUT", /^\/cob\//, (cob) => ({ ...cob, loc: { id: 7, location: "psp.example/v2/7", tipoCob: "cob" } }));
    expect(await request(asked())).toEqual(issued);
    expect(await tryBacen("psp", psp.settings)).toBeNull();
    rewrite("PUT", /^\/cob\//, ({ location: _, ...cob }) => cob);
    expect(await request(asked())).toEqual(issued);
  });

  test("is not given of a charge that was removed meanwhile: nobody could pay it", async () => {
    for (const status of ["REMOVIDA_PELO_PSP", "REMOVIDA_PELO_USUARIO_RECEBEDOR"]) {
      const one = asked();
      await request(one);
      Object.assign(psp.cobs.get(one.txid) ?? {}, { status });
      expect(await rail.findCode(one)).toBeNull();
      expect(await request(one), "the repeat is refused").toMatchObject({ status: "lost" });
    }
    const paid = asked();
    await request(paid);
    psp.pay({ txid: paid.txid });
    expect(await rail.findCode(paid), "one that was paid is still ours").toEqual(issued);
  });

  test("that nobody made is unknown also to a client that may not read charges with a due day", async () => {
    refuse("GET", /^\/cobv\//, aProblem(403));
    expect(await rail.findCode(asked())).toBeNull();
    refuse("GET", /^\/cobv\//, aProblem(401));
    await expect(rail.findCode(asked()), "as long as it has no token it knows nothing").rejects.toThrow();
  });

  test("is none where there is only a place", async () => {
    rewrite("PUT", /^\/cob\//, ({ pixCopiaECola: _, ...cob }) => cob);
    await expect(request(asked())).rejects.toThrow("gave no code");
  });
});

describe("a payment", () => {
  const paidAt = new Date("2026-11-27T13:40:07Z");
  test.each([
    ["in UTC with milliseconds", "2026-11-27T13:40:07.000Z"],
    ["in UTC without them", "2026-11-27T13:40:07Z"],
    ["with more places", "2026-11-27T13:40:07.000000Z"],
    ["with its offset", "2026-11-27T10:40:07-03:00"],
    ["without an offset, which is Brasília's", "2026-11-27T10:40:07"],
  ])("has its time %s", async (_, horario) => {
    const pix = psp.pay({ amount: 1_000 });
    rewrite("GET", /^\/pix\/\w+$/, (one) => ({ ...one, horario }));
    expect(await rail.received(pix.endToEndId)).toMatchObject({ paidAt });
    expect(callbacksIn({ pix: [{ ...pix, horario }] })).toMatchObject([{ happenedAt: paidAt }]);
    listOnly({ ...pix, horario });
    const [listed] = await all(rail.listReceived?.(new Date(0), new Date(), "all", () => {}));
    expect(listed).toMatchObject({ paidAt });
  });

  test.each([
    ["no txid, key or returns", { txid: undefined, chave: undefined, devolucoes: undefined }, "***"],
    ["nothing in its place", { txid: null, chave: null, devolucoes: null, infoPagador: null }, "***"],
    ["an empty txid", { txid: "" }, "***"],
    ["the txid of a static code", { txid: "PEDIDO7", infoPagador: "Obrigado!", devolucoes: [] }, "PEDIDO7"],
    ["parts of its amount", { componentesValor: { original: { valor: "10.00" }, juros: { valor: "0.00" } } }, "***"],
  ])("with %s is read", async (_, more, txid) => {
    const pix = psp.pay({ amount: 1_000 });
    rewrite("GET", /^\/pix\/\w+$/, (one) => ({ ...one, ...more }));
    expect(await rail.received(pix.endToEndId)).toMatchObject({ txid, amount: 1_000 });
    listOnly({ ...pix, ...more });
    expect(await all(rail.receivedWithin(new Date(0), new Date()))).toMatchObject([{ txid, amount: 1_000 }]);
    expect(await all(rail.listReceived?.(new Date(0), new Date(), "all", fails))).toMatchObject([{ amount: 1_000 }]);
    expect(callbacksIn(withoutNulls({ pix: [{ ...pix, ...more }] }))).toEqual([
      expect.objectContaining({ kind: "payment", id: pix.endToEndId }),
    ]);
  });

  test("has letters of both cases in its id, which stays as it is", async () => {
    const endToEndId = "E12345678202611271340aBcDeFgHiJ1";
    psp.pay({ amount: 1_000, endToEndId });
    expect(await rail.received(endToEndId)).toMatchObject({ endToEndId, payer: { ispb: "12345678" } });
  });
});

describe("a list", () => {
  const since = () => new Date(Date.now() - 60_000);
  const until = () => new Date(Date.now() + 60_000);
  const lists: [string, () => AsyncIterable<unknown> | undefined][] = [
    ["of payments", () => rail.receivedWithin(since(), until())],
    ["of payments with what went back", () => rail.listReceived?.(since(), until(), "all", fails)],
    ["of disputes", () => rail.disputes?.listOpen()],
  ];

  test.each(lists)("%s of nothing has no page, or an empty one", async (_, list) => {
    for (const pix of [undefined, []]) {
      rewrite("GET", /^\/pix$/, ({ parametros }) => ({
        parametros: { ...(parametros as Json), paginacao: page({ quantidadeDePaginas: 0, quantidadeTotalDeItens: 0 }) },
        pix,
      }));
      expect(await all(list())).toEqual([]);
    }
  });

  test.each(lists)("%s is read to its end where the PSP's pages are smaller than asked", async (_, list) => {
    const pixes = Array.from({ length: 7 }, () => psp.pay({ amount: 1_000 }));
    for (const pix of pixes) psp.takeBack(pix, "MED_FRAUDE", 1_000);
    rewrite("GET", /^\/pix$/, ({ parametros }, { query }) => {
      const at = Number(query.get("paginacao.paginaAtual"));
      const own = page({ paginaAtual: at, itensPorPagina: 3, quantidadeDePaginas: 3, quantidadeTotalDeItens: 7 });
      return { parametros: { ...(parametros as Json), paginacao: own }, pix: pixes.slice(at * 3, at * 3 + 3) };
    });
    expect(await all(list())).toHaveLength(7);
  });
});

describe("a return", () => {
  const aReturn = () => ({ endToEndId: psp.pay({ amount: 1_000 }).endToEndId, id: hex(newId()), amount: 400 });

  test.each([
    ["EM_PROCESSAMENTO", {}, { status: "accepted" }],
    ["EM_PROCESSAMENTO", { rtrId: undefined, natureza: undefined }, { status: "accepted" }],
    ["DEVOLVIDO", { natureza: undefined }, { status: "completed", returnId: expect.stringMatching(/^D/) }],
    ["DEVOLVIDO", { horario: {} }, { status: "completed", returnId: expect.stringMatching(/^D/) }],
    ["NAO_REALIZADO", {}, { status: "failed", reason: null }],
    ["NAO_REALIZADO", { motivo: "Conta encerrada" }, { status: "failed", reason: "Conta encerrada" }],
  ])("that is %s with %j is told as it is", async (status, more, answer) => {
    const one = aReturn();
    rewrite("PUT", /\/devolucao\//, (body) => ({ ...body, ...more, status }));
    expect(await rail.sendBack(one)).toEqual(answer);
    rewrite("GET", /\/devolucao\//, (body) => ({ ...body, ...more, status }));
    expect(await rail.findSentBack(one)).toEqual(answer);
  });

  test("is refused by any status of the client's that the PSP itself explains, and by no other", async () => {
    for (const status of [400, 404, 409, 412, 422]) {
      refuse("PUT", /\/devolucao\//, aProblem(status, { violacoes: [{ razao: "x", propriedade: "valor", valor: 4 }] }));
      expect(await rail.sendBack(aReturn())).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("Outro"),
      });
    }
    for (const answer of [aProblem(408), aProblem(500), { status: 412, body: { message: "no route" } }]) {
      refuse("PUT", /\/devolucao\//, answer);
      await expect(rail.sendBack(aReturn())).rejects.toThrow();
    }
  });
});

describe("Pix Automático", () => {
  const automatic = () => {
    if (!rail.automatic) throw new Error("the PSP has an account");
    return rail.automatic;
  };
  const offer = () => ({
    ...{ contract: newAlphanumeric(20), period: "monthly" as const, firstDate: "2027-01-10", amount: 1_000 },
    ...{
      debtor: { name: "Ana", document: "52998224725" },
      at: new Date(),
      accountId: newId(),
      merchantName: "Loja",
      description: "Plano",
      merchantCity: "Recife",
    },
  });

  test("a debit that was paid names its payment among its attempts, where it lists none", async () => {
    const [txid, idRec] = [newAlphanumeric(32), `RR87654321202612${newAlphanumeric(13)}`];
    const attempt = (status: string, endToEndId: string) => ({
      ...{ dataLiquidacao: "2027-01-10", tipo: "AGND", status, endToEndId, atualizacao: [] },
    });
    const endToEndId = `E12345678202701101200${newAlphanumeric(11)}`;
    for (const pix of [undefined, []]) {
      psp.between = async () => ({
        status: 200,
        body: {
          ...{ idRec, txid, status: "CONCLUIDA", valor: { original: "10.00" }, ajusteDiaUtil: false, pix },
          ...{ calendario: { criacao: "2027-01-01", dataDeVencimento: "2027-01-10" } },
          recebedor: { conta: "1", tipoConta: "CORRENTE" },
          ...{
            atualizacao: [],
            tentativas: [attempt("EXPIRADA", endToEndId.replace("E1", "E2")), attempt("PAGA", endToEndId)],
          },
        },
      });
      expect(await automatic().readDebit(txid)).toMatchObject({ status: "concluded", endToEndId });
    }
  });

  test("a mandate is found beside one that another system wrote in a form of its own", async () => {
    const one = offer();
    expect(await automatic().offerMandate(one)).toMatchObject({ status: "offered" });
    rewrite("GET", /^\/rec$/, (body) => ({ ...body, recs: [{ idRec: "x" }, ...(body.recs as object[])] }));
    expect(await automatic().findMandate(one)).toMatchObject({ status: "offered" });
    expect(await automatic().findMandate(offer())).toBeNull();
  });

  test("a callback needs only to name what changed and how", () => {
    const [idRec, txid] = [`RR87654321202612${newAlphanumeric(13)}`, newAlphanumeric(32)];
    expect(callbacksIn({ recs: [{ idRec, status: "APROVADA" }] })).toMatchObject([{ kind: "mandate", id: idRec }]);
    expect(callbacksIn({ cobsr: [{ idRec, txid, status: "ATIVA" }] })).toMatchObject([{ kind: "debit", id: txid }]);
  });
});

describe("a callback", () => {
  test("of nothing, and of very many, is read", () => {
    for (const body of [{}, [], { pix: [] }, { pix: [], recs: [], cobsr: [] }]) expect(callbacksIn(body)).toEqual([]);
    const pix = { valor: "10.00", horario: "2026-11-27T13:40:07Z" };
    const many = Array.from({ length: 5_000 }, (_, nth) => ({
      ...{ ...pix, endToEndId: `E12345678202611271340${String(nth).padStart(11, "0")}` },
    }));
    expect(new Set(callbacksIn({ pix: many }).map((one) => one !== "unreadable" && one.id))).toHaveProperty(
      "size",
      5_000,
    );
  });

  test("of one payment alone is read with whatever is read in a list", () => {
    const endToEndId = `E12345678202611271340${newAlphanumeric(11)}`;
    const taken = { id: newAlphanumeric(20), status: "DEVOLVIDO", natureza: "OUTRA" };
    const pix = { endToEndId, valor: "10.00", horario: "2026-11-27T13:40:07Z", devolucoes: [taken] };
    expect(callbacksIn(pix)).toEqual(callbacksIn({ pix: [pix] }));
    expect(callbacksIn(pix)).toHaveLength(2);
  });
});

const fails = () => {
  throw new Error("one was not read");
};

async function all<T>(list: AsyncIterable<T> | undefined): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list ?? []) found.push(one);
  return found;
}
