import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { json } from "@/lib/http/answer";
import { newAlphanumeric } from "@/lib/ids";
import { NOW_HEADER, PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { cycleOf } from "@/lib/simulators/pix/dates";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";

type Notice = { event_id: string; type: string; idRec?: string; txid?: string; status: string };
const notices: Notice[] = [];
/** How our callback answers; `during` runs before it does. */
const receiver: { status: number; during?: (() => Promise<unknown>) | undefined } = { status: 200 };

let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveRail({
    onCallback: async (request) => {
      notices.push((await request.json()) as Notice);
      await receiver.during?.();
      return json(receiver.status, {});
    },
  });
});
afterAll(async () => {
  await server.close();
  await drop();
});

async function ask(method: string, path: string, body?: unknown, { token = env.SIMULATOR_SECRET, at = NOW } = {}) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", [NOW_HEADER]: at };
  const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await fetch(`${server.url}/simulator/pix/v1${path}`, { method, headers, ...sent });
  return { status: response.status, body: await response.json() };
}

const NOW = "2027-01-04T15:00:00Z";
const newTxid = () => newAlphanumeric(32);

const aRec = (more: object = {}) => ({
  vinculo: { contrato: newTxid(), objeto: "Clube do Livro", devedor: { cpf: "52998224725", nome: "Ana" } },
  calendario: { dataInicial: "2027-01-14", periodicidade: "MENSAL" },
  valor: { valorRec: "49.90" },
  politicaRetentativa: "PERMITE_3R_7D",
  recebedor: { nome: "Livraria", cidade: "São Paulo" },
  ...more,
});

const aCob = () => ({ calendario: { expiracao: 3600 }, valor: { original: "19.90" }, chave: PIX_KEY });

async function approved(more?: object): Promise<string> {
  const { body } = await ask("POST", "/rec", aRec(more));
  await ask("POST", `/rec/${body.idRec}/payer`, { action: "authorise" });
  return body.idRec;
}

const aCobr = (idRec: string, more: object = {}) => ({
  idRec,
  calendario: { dataDeVencimento: "2027-01-14" },
  valor: { original: "49.90" },
  ajusteDiaUtil: false,
  ...more,
});

describe("the words of the Central Bank's API Pix", () => {
  test("a mandate is answered as a rec, with its history, its code, and who ended it", async () => {
    const { status, body } = await ask("POST", "/rec", aRec());
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...aRec({ vinculo: body.vinculo }),
      idRec: expect.stringMatching(/^RR9999999920270104[a-zA-Z0-9]{11}$/),
      status: "CRIADA",
      ativacao: { tipoJornada: "AGUARDANDO_DEFINICAO" },
      atualizacao: [{ status: "CRIADA", data: expect.stringMatching(/Z$/) }],
    });
    expect((await ask("GET", `/rec/${body.idRec}`)).body).toEqual({
      ...body,
      dadosQR: { jornada: "JORNADA_2", pixCopiaECola: expect.stringMatching(/^000201/) },
    });
    const cancelled = await ask("PATCH", `/rec/${body.idRec}`, { status: "CANCELADA" });
    expect(cancelled.body).toMatchObject({
      status: "CANCELADA",
      encerramento: { cancelamento: { solicitante: "USUARIO_RECEBEDOR", codigo: "SLCR" } },
      atualizacao: [{ status: "CRIADA" }, { status: "CANCELADA" }],
    });
  });

  test("journey 3 needs the txid of a charge, and its code is given for that txid only", async () => {
    const txid = newTxid();
    const journey = { ativacao: { dadosJornada: { txid } } };
    expect(await ask("POST", "/rec", aRec(journey))).toMatchObject({ status: 400 });
    expect(await ask("PUT", `/cob/${txid}`, aCob())).toMatchObject({ status: 201, body: { txid, status: "ATIVA" } });
    const { body } = await ask("POST", "/rec", aRec(journey));
    const { dadosQR } = (await ask("GET", `/rec/${body.idRec}?txid=${txid}`)).body;
    expect(dadosQR).toMatchObject({ jornada: "JORNADA_3", pixCopiaECola: expect.stringMatching(/540519\.90/) });
    expect((await ask("GET", `/rec/${body.idRec}?txid=${newTxid()}`)).status).toBe(400);
    await ask("POST", "/payments", { pix_code: dadosQR.pixCopiaECola });
    expect((await ask("GET", `/rec/${body.idRec}`)).body.ativacao).toEqual({
      tipoJornada: "JORNADA_3",
      dadosJornada: { txid },
    });
    expect((await ask("GET", `/cob/${txid}`)).body.status).toBe("CONCLUIDA");
  });

  test("a debit is answered as a cobr, whose attempts have the end-to-end id of the payment", async () => {
    const [idRec, txid] = [await approved(), newTxid()];
    const { status, body } = await ask("PUT", `/cobr/${txid}`, aCobr(idRec));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...aCobr(idRec),
      txid,
      status: "CRIADA",
      calendario: { criacao: "2027-01-04", dataDeVencimento: "2027-01-14" },
      tentativas: [{ tipo: "AGND", status: "SOLICITADA", dataLiquidacao: "2027-01-14" }],
    });
    await ask("POST", "/days", { recs: [idRec] }, { at: "2027-01-14T03:00:00Z" });
    const paid = (await ask("GET", `/cobr/${txid}`)).body;
    const [attempt] = paid.tentativas;
    expect(paid).toMatchObject({
      status: "CONCLUIDA",
      pix: [{ txid, valor: "49.90", endToEndId: attempt.endToEndId }],
    });
    expect(attempt.atualizacao.map((update: Notice) => update.status)).toEqual(["SOLICITADA", "AGENDADA", "PAGA"]);
    expect(paid.atualizacao.map((update: Notice) => update.status)).toEqual(["CRIADA", "ATIVA", "CONCLUIDA"]);
    expect((await ask("GET", `/received/${attempt.endToEndId}`)).body).toMatchObject({ txid, amount: "49.90" });
  });

  test("a mandate that allows no retry is over after the first attempt", async () => {
    const [idRec, txid] = [await approved({ politicaRetentativa: "NAO_PERMITE" }), newTxid()];
    expect(idRec).toMatch(/^RN/);
    await ask("POST", `/rec/${idRec}/payer`, { account: "none" });
    await ask("PUT", `/cobr/${txid}`, aCobr(idRec));
    await ask("POST", "/days", { recs: [idRec] }, { at: "2027-01-14T15:00:00Z" });
    expect((await ask("GET", `/cobr/${txid}`)).body).toMatchObject({ status: "EXPIRADA" });
    expect((await ask("POST", `/cobr/${txid}/retentativa/2027-01-16`, {})).status).toBe(400);
  });

  test("the day is that of São Paulo: a debit due on the 14th is paid from 03:00 UTC on", async () => {
    const [idRec, txid] = [await approved(), newTxid()];
    await ask("PUT", `/cobr/${txid}`, aCobr(idRec));
    await ask("POST", "/days", { recs: [idRec] }, { at: "2027-01-14T02:59:59Z" });
    expect((await ask("GET", `/cobr/${txid}`)).body.status).toBe("ATIVA");
    await ask("POST", "/days", { recs: [idRec] }, { at: "2027-01-14T03:00:00Z" });
    expect((await ask("GET", `/cobr/${txid}`)).body.status).toBe("CONCLUIDA");
  });
});

test.each([
  ["SEMANAL", "2027-01-04", { "2027-01-03": -1, "2027-01-04": 0, "2027-01-10": 0, "2027-01-11": 1 }],
  ["MENSAL", "2027-01-31", { "2027-01-30": -1, "2027-02-27": 0, "2027-02-28": 1, "2027-03-30": 1, "2027-03-31": 2 }],
  ["TRIMESTRAL", "2026-11-30", { "2027-02-27": 0, "2027-02-28": 1, "2027-05-29": 1, "2027-05-30": 2 }],
  ["SEMESTRAL", "2026-12-15", { "2027-06-14": 0, "2027-06-15": 1, "2027-12-15": 2 }],
  ["ANUAL", "2028-02-29", { "2029-02-27": 0, "2029-02-28": 1, "2032-02-28": 3, "2032-02-29": 4 }],
])("cycles of %s from %s", (periodicidade, dataInicial, expected) => {
  const cycles = Object.keys(expected).map((day) => [day, cycleOf(day, { dataInicial, periodicidade })]);
  expect(Object.fromEntries(cycles)).toEqual(expected);
});

describe("the PSP refuses", () => {
  const paths = () => {
    const [idRec, txid] = [`RR9999999920270104${newAlphanumeric(11)}`, newTxid()];
    return [
      ["POST", "/rec"],
      ["GET", "/rec?contrato=x"],
      ["GET", `/rec/${idRec}`],
      ["PATCH", `/rec/${idRec}`],
      ["POST", `/rec/${idRec}/payer`],
      ["PUT", `/cob/${txid}`],
      ["GET", `/cob/${txid}`],
      ["PUT", `/cobr/${txid}`],
      ["GET", `/cobr/${txid}`],
      ["PATCH", `/cobr/${txid}`],
      ["POST", `/cobr/${txid}/retentativa/2027-01-16`],
      ["POST", "/days"],
    ] as const;
  };

  test("every call without its credential", async () => {
    for (const [method, path] of paths()) {
      for (const token of ["", `${env.SIMULATOR_SECRET}x`]) {
        const body = method === "GET" ? undefined : {};
        expect((await ask(method, path, body, { token })).status, path).toBe(401);
      }
    }
  });

  test("broken JSON with 400, another body with 422, another method with 405", async () => {
    const retry = /retentativa/; // its body says nothing
    for (const [method, path] of paths().filter(([method, path]) => method !== "GET" && !retry.test(path))) {
      expect((await ask(method, path, "{")).status, path).toBe(400);
      for (const body of [[], { action: "eat", recs: "x" }, { account: "full", recs: ["../x"] }]) {
        expect((await ask(method, path, body)).status, path).toBe(422);
      }
      expect((await ask("DELETE", path)).status, path).toBe(405);
    }
    expect((await ask("POST", "/days", { recs: Array(101).fill(`RR9999999920270104${"x".repeat(11)}`) })).status).toBe(
      422,
    );
  });

  test("what it does not know with the standard's type", async () => {
    const [idRec, txid] = [`RR9999999920270104${newAlphanumeric(11)}`, newTxid()];
    const error = "https://pix.bcb.gov.br/api/v2/error";
    expect(await ask("GET", `/rec/${idRec}`)).toMatchObject({
      status: 404,
      body: { type: `${error}/RecNaoEncontrada` },
    });
    expect(await ask("GET", `/cobr/${txid}`)).toMatchObject({
      status: 404,
      body: { type: `${error}/CobRNaoEncontrado` },
    });
    expect(await ask("PUT", `/cobr/${txid}`, aCobr(idRec))).toMatchObject({
      status: 400,
      body: { type: `${error}/CobROperacaoInvalida`, violacoes: [{ razao: expect.any(String) }] },
    });
    expect((await ask("POST", "/days", { recs: [idRec] })).body).toEqual({ recs: [], cobsr: [] });
  });

  test("a code whose addresses are not its own, of two records that do not belong together, or whose charge is paid", async () => {
    const make = async () => {
      const txid = newTxid();
      await ask("PUT", `/cob/${txid}`, aCob());
      const { body } = await ask("POST", "/rec", aRec({ ativacao: { dadosJornada: { txid } } }));
      return (await ask("GET", `/rec/${body.idRec}?txid=${txid}`)).body.dadosQR.pixCopiaECola as string;
    };
    const { parseBrCode, writeBrCode } = await import("@/lib/rails/pix/brcode");
    const [one, other] = [parseBrCode(await make()), parseBrCode(await make())];
    for (const wrong of [
      { url: "psp.example/qr/v2/cob/" },
      { url: "elsewhere.example/qr/v2/cob/x" },
      { recurrenceUrl: other.recurrenceUrl },
      { recurrenceUrl: "psp.example/qr/v2/rec/x" },
    ]) {
      expect((await ask("POST", "/payments", { pix_code: writeBrCode({ ...one, ...wrong }) })).status).toBe(422);
    }
    const alone = writeBrCode({ ...one, url: null, key: PIX_KEY });
    expect((await ask("POST", "/payments", { pix_code: alone })).status).toBe(422);
    const charge = writeBrCode({ ...one, recurrenceUrl: null }); // the payer's bank may pay a charge without its mandate
    expect((await ask("POST", "/payments", { pix_code: charge })).status).toBe(201);
    for (const code of [charge, writeBrCode(one)]) {
      expect((await ask("POST", "/payments", { pix_code: code })).status).toBe(422);
    }
  });
});

describe("the notice of a change", () => {
  const owed = async (idRec: string) => {
    const text = `select attempts, extract(epoch from notify_at - now())::float8 as wait from simulator_recs where id_rec = $1`;
    const [row] = await runPrepared<{ attempts: number; wait: number | null }>("t-owed-rec", text, [idRec]);
    return row;
  };
  const makeDue = (idRec: string) =>
    runPrepared("t-due-rec", "update simulator_recs set notify_at = now() - interval '1 hour' where id_rec = $1", [
      idRec,
    ]);

  beforeEach(async () => {
    Object.assign(receiver, { status: 200, during: undefined });
    for (const table of ["simulator_recs", "simulator_cobrs", "simulator_pix"]) {
      await runPrepared(`t-quiet-${table}`, `update ${table} set notify_at = null`, []);
    }
    notices.length = 0;
  });

  test("is sent once after each change, under an id of its own, and not for what the client did itself first", async () => {
    const { body } = await ask("POST", "/rec", aRec());
    await sendNotices();
    expect(notices).toEqual([]);
    await ask("POST", `/rec/${body.idRec}/payer`, { action: "authorise" });
    await Promise.all([sendNotices(), sendNotices()]);
    await ask("POST", `/rec/${body.idRec}/payer`, { action: "cancel" });
    await sendNotices();
    expect(notices).toEqual([
      { event_id: `evt_${body.idRec}_1`, type: "rec", idRec: body.idRec, status: "APROVADA" },
      { event_id: `evt_${body.idRec}_2`, type: "rec", idRec: body.idRec, status: "CANCELADA" },
    ]);
  });

  test("of a debit names it, and that of its money comes beside it", async () => {
    const [idRec, txid] = [await approved(), newTxid()];
    await ask("PUT", `/cobr/${txid}`, aCobr(idRec));
    await ask("POST", "/days", { recs: [idRec] }, { at: "2027-01-14T15:00:00Z" });
    await sendNotices();
    expect(notices.map(({ type }) => type).sort()).toEqual(["cobr", "pix.received", "rec"]);
    expect(notices.find(({ type }) => type === "cobr")).toEqual({
      event_id: `evt_${txid}_1`,
      type: "cobr",
      txid,
      status: "CONCLUIDA",
    });
  });

  test.each([500, 401, 302])("answered %d is sent again after longer waits, 20 times at most", async (status) => {
    const idRec = await approved();
    receiver.status = status;
    await sendNotices();
    expect(await owed(idRec)).toMatchObject({ attempts: 1, wait: expect.closeTo(10, -1) });
    await makeDue(idRec);
    await sendNotices();
    expect((await owed(idRec))?.wait).toBeGreaterThan(20);
    await runPrepared("t-tired-rec", "update simulator_recs set attempts = 20 where id_rec = $1", [idRec]);
    await makeDue(idRec);
    await sendNotices();
    expect(notices).toHaveLength(2);
  });

  test("of a record that changes while it is sent is followed by the next", async () => {
    const idRec = await approved();
    receiver.during = async () => {
      receiver.during = undefined;
      await ask("POST", `/rec/${idRec}/payer`, { action: "cancel" });
    };
    await sendNotices();
    await sendNotices();
    await sendNotices();
    expect(notices.map(({ status }) => status)).toEqual(["APROVADA", "CANCELADA"]);
    expect(await owed(idRec)).toMatchObject({ wait: null });
  });
});
