import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { newAlphanumeric } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import { ACCOUNT, serveAutomatic } from "@/lib/testing/api-pix-automatic";
import { faultsOf } from "@/lib/testing/as-documented";
import { realNow } from "@/lib/time/clock";

const ISPB = "87654321";
const KEY = "5f0c2a4e-9d1b-4c7a-8e36-2b7f41d0c9a8";
const pem = (name: string) => readFileSync(`lib/testing/tls/${name}`, "utf8");

/** What a charge with a due day has beyond others. */
type Due = { dataDeVencimento: string; validadeAposVencimento: number; devedor: object };
type Cob = {
  txid: string;
  amount: string;
  expiracao: number;
  criacao: string;
  status: string;
  revisao: number;
  due?: Due;
};
type Devolucao = { id: string; rtrId: string; valor: string; natureza: string; horario: object; status: string };
type Pix = {
  endToEndId: string;
  txid?: string;
  valor: string;
  chave: string;
  horario: string;
  devolucoes?: Devolucao[] | null;
};

/** A request to the PSP: `path` stands behind `/api/v2`. */
export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Record<string, unknown>;
};
export type Answer = { status: number; body?: object; headers?: Record<string, string> };
/** What happens between client and PSP: resolves to what the client gets, or to undefined where its connection breaks. */
type Between = (asked: Asked, serve: () => Answer) => Promise<Answer | undefined>;

/** What one PSP does otherwise than the standard. */
export type Ways = {
  settings?: Partial<BacenSettings>;
  /** Whether who asks for a token says rightly who it is. */
  knows?: (headers: Record<string, string>, body: string) => boolean;
  /** Its answer to a request that is not of the standard; undefined for any other. */
  serves?: (asked: Asked) => Answer | undefined;
  /** Whether it is asked on purpose for what is not as the document says. */
  isLenient?: boolean;
  /** An answer as this PSP writes it. */
  writes?: (answer: Answer) => Answer;
  /** How it calls back about payments: with which body, and what it appends to our address. */
  reports?: (pixes: object[]) => [body: unknown, appended: string];
};

/**
 * A PSP that speaks the Central Bank's API Pix, on a free port, and only with the client whose certificate its authority has signed.
 * It keeps its records in memory. `asked` is what it was asked; `between` plays the network until it is removed. It gives
 * `perPage` payments on a page at most, refuses what is not as the official document says, keeps it in `faults`, and `close`
 * throws then: so every test shows that what it had asked was right.
 */
export async function serveApiPix({
  settings: own,
  knows = isBasic,
  isLenient,
  serves,
  writes = (answer) => answer,
  reports = (pix) => [{ pix }, "/pix"],
}: Ways = {}) {
  const cobs = new Map<string, Cob>();
  const pixes = new Map<string, Pix>();
  const asked: Asked[] = [];
  const automatic = serveAutomatic({ cobs, pixes, pay, tell, problem });
  const faults: string[] = [];
  const place = {
    between: undefined as Between | undefined,
    token: newAlphanumeric(40),
    webhookUrl: "",
    perPage: 1_000,
  };
  const registered = new Map<string, string>();
  const routes: [method: string, path: RegExp, answer: (names: string[], asked: Asked) => Answer][] = [
    ["PUT", /^\/cob\/(\w+)$/, ([txid = ""], { body }) => makeCob(txid, body)],
    ["GET", /^\/cob\/(\w+)$/, ([txid = ""]) => found("Cob", chargeOf(txid, false), presentCob)],
    ["PUT", /^\/cobv\/(\w+)$/, ([txid = ""], { body }) => makeCobv(txid, body)],
    ["GET", /^\/cobv\/(\w+)$/, ([txid = ""]) => found("CobV", chargeOf(txid, true), presentCob)],
    ["PATCH", /^\/cob\/(\w+)$/, ([txid = ""], { body }) => reviseCob(txid, body)],
    ["GET", /^\/pix$/, (_, { query }) => listPix(query)],
    ["GET", /^\/pix\/(\w+)$/, ([id = ""]) => found("Pix", pixes.get(id), (pix) => pix)],
    ["PUT", /^\/pix\/(\w+)\/devolucao\/(\w+)$/, ([e2e = "", id = ""], { body }) => sendBack(e2e, id, body)],
    [
      "GET",
      /^\/pix\/(\w+)\/devolucao\/(\w+)$/,
      ([e2e = "", id = ""]) => found("PixDevolucao", returnOf(e2e, id), (one) => one),
    ],
    ["PUT", /^\/webhook\/(.+)$/, (_, { body }) => register(String(body.webhookUrl))],
    ["GET", /^\/webhook\/(.+)$/, () => found("Webhook", place.webhookUrl || undefined, webhook)],
    ["PUT", /^\/(webhookrec|webhookcobr)$/, ([kind = ""], { body }) => registerFor(kind, String(body.webhookUrl))],
    ["GET", /^\/(webhookrec|webhookcobr)$/, ([kind = ""]) => found("Webhook", registered.get(kind), webhook)],
    ...automatic.routes,
  ];

  const ca = [pem("authority.pem"), pem("ended-authority.pem")];
  const tls = { cert: pem("server.pem"), key: pem("server.key"), ca };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, async (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    if (subject.CN !== "client of 2026") return request.socket.destroy(); // of another client
    const text = await textOf(request);
    const url = new URL(request.url ?? "", "https://psp");
    const headers = request.headers as Record<string, string>;
    if (url.pathname === "/oauth/token") return send(response, grant(headers, text));
    if (headers.authorization !== `Bearer ${place.token}`) return send(response, writes(problem(401, "NaoAutorizado")));
    const { method = "" } = request;
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    const path = url.pathname.replace(/^\/api(\/v2)?/, "");
    const one = { method, path, query: url.searchParams, headers, body };
    asked.push(one);
    const isOther = isLenient || serves?.(one) !== undefined;
    const wrong = isOther ? [] : await faultsOf({ ...one, body: text ? body : undefined });
    if (wrong.length > 0) {
      faults.push(`${method} ${path}: ${wrong.join("; ")}`);
      return send(response, problem(400, "RequisicaoInvalida", wrong.join("; ")));
    }
    const serve = () => writes(serves?.(one) ?? answer(one));
    const answered = await (place.between ? place.between(one, serve) : serve());
    if (answered) send(response, answered);
    else request.socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answer(one: Asked): Answer {
    for (const [method, path, run] of routes) {
      const match = path.exec(one.path);
      if (match && method === one.method) return run(match.slice(1), one);
    }
    return problem(404, "NaoEncontrado");
  }

  function grant(headers: Record<string, string>, body: string): Answer {
    if (!knows(headers, body)) return { status: 401, body: {} };
    return { status: 200, body: { access_token: place.token, token_type: "Bearer", expires_in: 3_600 } };
  }

  function makeCob(txid: string, { valor, calendario, chave }: Record<string, unknown>): Answer {
    const { original } = valor as { original: string };
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid) || !centsOf(original) || chave !== settings.pix_key || cobs.has(txid))
      return problem(
        400,
        "CobOperacaoInvalida",
        "O campo cob.txid ou cob.valor não respeita o schema, ou está em uso.",
      );
    const { expiracao = 86_400 } = calendario as { expiracao?: number };
    const criacao = realNow().toISOString();
    const cob = { ...{ txid, amount: original, expiracao, criacao }, status: "ATIVA", revisao: 0 };
    cobs.set(txid, cob);
    return { status: 201, body: presentCob(cob) };
  }

  const chargeOf = (txid: string, isDue: boolean) => {
    const cob = cobs.get(txid);
    return cob && Boolean(cob.due) === isDue ? cob : undefined;
  };

  function makeCobv(txid: string, { devedor, calendario, ...charge }: Record<string, unknown>): Answer {
    const { cpf, cnpj, nome } = (devedor ?? {}) as Record<string, string>;
    const { dataDeVencimento = "", validadeAposVencimento = 30 } = calendario as Partial<Due>;
    const isOne = /^\d{11}$/.test(cpf ?? "") !== /^[0-9A-Z]{14}$/.test(cnpj ?? "") && Boolean(nome);
    if (!isOne || !/^\d{4}-\d\d-\d\d$/.test(dataDeVencimento) || !(validadeAposVencimento >= 0))
      return problem(400, "CobVOperacaoInvalida", "O objeto cobv.devedor ou cobv.calendario não respeita o schema.");
    const made = makeCob(txid, { ...charge, calendario: {} });
    const cob = cobs.get(txid);
    if (made.status !== 201 || !cob) return made;
    cob.due = { dataDeVencimento, validadeAposVencimento, devedor: devedor as object };
    return { status: 201, body: presentCob(cob) };
  }

  function reviseCob(txid: string, { status }: Record<string, unknown>): Answer {
    const cob = cobs.get(txid);
    if (!cob) return problem(404, "CobNaoEncontrado");
    if (cob.status !== "ATIVA") return problem(400, "CobOperacaoInvalida", "A cobrança não está ATIVA.");
    Object.assign(cob, { status, revisao: cob.revisao + 1 });
    return { status: 200, body: presentCob(cob) };
  }

  function listPix(query: URLSearchParams): Answer {
    const [inicio, fim] = [query.get("inicio") ?? "", query.get("fim") ?? ""];
    const page = Number(query.get("paginacao.paginaAtual") ?? 0);
    const size = Math.min(Number(query.get("paginacao.itensPorPagina") ?? 100), place.perPage);
    const isReturned = query.get("devolucaoPresente") === "true";
    // In no order, as the standard names none.
    const all = [...pixes.values()]
      .filter(({ horario, devolucoes }) => horario >= inicio && horario <= fim && (!isReturned || devolucoes?.length))
      .reverse();
    const paginacao = {
      ...{ paginaAtual: page, itensPorPagina: size, quantidadeTotalDeItens: all.length },
      quantidadeDePaginas: Math.max(1, Math.ceil(all.length / size)),
    };
    return {
      status: 200,
      body: { parametros: { inicio, fim, paginacao }, pix: all.slice(page * size, (page + 1) * size) },
    };
  }

  function sendBack(e2e: string, id: string, { valor }: Record<string, unknown>): Answer {
    const pix = pixes.get(e2e);
    if (!pix) return problem(404, "PixNaoEncontrado");
    pix.devolucoes ??= [];
    const sent = pix.devolucoes.filter(({ status }) => status !== "NAO_REALIZADO");
    const left = (centsOf(pix.valor) ?? 0) - sent.reduce((sum, one) => sum + (centsOf(one.valor) ?? 0), 0);
    if (returnOf(e2e, id) || (centsOf(String(valor)) ?? 0) > left)
      return problem(400, "PixDevolucaoInvalida", "O id está em uso, ou o valor ultrapassa o do Pix.");
    const made = {
      ...{ id, rtrId: `D${ISPB}${stamp()}${newAlphanumeric(11)}`, valor: String(valor), natureza: "ORIGINAL" },
      ...{ horario: { solicitacao: realNow().toISOString() }, status: "EM_PROCESSAMENTO" },
    };
    pix.devolucoes.push(made);
    return { status: 201, body: made };
  }

  const returnOf = (e2e: string, id: string) => pixes.get(e2e)?.devolucoes?.find((one) => one.id === id);

  function register(url: string): Answer {
    place.webhookUrl = url;
    return { status: 200 };
  }
  function registerFor(kind: string, url: string): Answer {
    registered.set(kind, url);
    return { status: 200 };
  }
  const webhook = (webhookUrl: string) => ({ webhookUrl, cnpj: "11222333000181", criacao: realNow().toISOString() });

  /** A payer pays a charge, or the key alone. Amounts in cents. */
  function pay({
    txid,
    amount,
    endToEndId = `E12345678${stamp()}${newAlphanumeric(11)}`,
  }: {
    txid?: string;
    amount?: number;
    endToEndId?: string;
  } = {}): Pix {
    const cob = txid ? cobs.get(txid) : undefined;
    const pix = {
      ...{ endToEndId, ...(txid && { txid }), chave: KEY },
      ...{ valor: amount === undefined ? (cob?.amount ?? "1.00") : decimal(amount), horario: realNow().toISOString() },
    };
    pixes.set(pix.endToEndId, pix);
    if (cob) cob.status = "CONCLUIDA";
    return pix;
  }

  /** The PSP takes money of a payment back by itself, as after a MED. */
  function takeBack(pix: Pix, natureza: string, amount: number): void {
    pix.devolucoes ??= [];
    pix.devolucoes.push({
      ...{
        id: newAlphanumeric(20),
        rtrId: `D${ISPB}${stamp()}${newAlphanumeric(11)}`,
        valor: decimal(amount),
        natureza,
      },
      ...{ horario: { solicitacao: realNow().toISOString() }, status: "DEVOLVIDO" },
    });
  }

  /** The payer's bank takes what was sent back, or does not. */
  function endReturn(e2e: string, id: string, isDone = true): void {
    const one = returnOf(e2e, id);
    if (one) Object.assign(one, { status: isDone ? "DEVOLVIDO" : "NAO_REALIZADO" });
  }

  /** Calls back about payments, as often and in whatever order it is asked to. Resolves to our statuses. */
  const callBack = (...some: object[]) => tell(...reports(some));

  /** Sends a body to the address of such callbacks, with what this PSP appends to it. */
  function tell(body: unknown, appended = "/pix"): Promise<number> {
    const url = registered.get(`webhook${appended.slice(1)}`) ?? place.webhookUrl;
    const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return fetch(`${url}${appended}`, sent).then(({ status }) => status);
  }

  const settings: BacenSettings = {
    ...{ profile: "standard", base_url: `${origin}/api/v2`, token_url: `${origin}/oauth/token` },
    ...{ client_id: "client", client_secret: "secret", pix_key: KEY },
    ...{ certificate: pem("client.pem"), private_key: pem("client.key"), authority: pem("authority.pem") },
    ...{ account: ACCOUNT, callback_secret: newAlphanumeric(43), ...own },
  };

  /** Throws where it was asked for anything that is not as the document says. */
  async function close() {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    if (faults.length > 0) throw new Error(`Requests that are not as the API Pix says:\n${faults.join("\n")}`);
  }
  return Object.assign(place, {
    settings,
    asked,
    faults,
    cobs,
    pixes,
    automatic,
    pay,
    takeBack,
    endReturn,
    callBack,
    tell,
    close,
  });
}

/** HTTP Basic with a form (RFC 6749, section 2.3.1). */
const isBasic: NonNullable<Ways["knows"]> = ({ authorization }, body) =>
  authorization === BASIC && new URLSearchParams(body).get("grant_type") === "client_credentials";
export const BASIC = `Basic ${Buffer.from("client:secret").toString("base64")}`;

const presentCob = ({ txid, amount, expiracao, criacao, status, revisao, due }: Cob) => ({
  ...{ txid, revisao, status, valor: { original: amount }, chave: KEY },
  ...(due ? presentDue(criacao, due) : { calendario: { criacao, expiracao } }),
  ...{ location: `psp.example/v2/${txid}`, pixCopiaECola: codeOf(txid, amount) },
});

const presentDue = (criacao: string, { devedor, ...dates }: Due) => ({
  ...{ devedor, calendario: { criacao, ...dates } },
  recebedor: {
    ...{ cnpj: "11222333000181", nome: "PSP" },
    logradouro: "Rua 1",
    cidade: "Recife",
    uf: "PE",
    cep: "50000000",
  },
});

const codeOf = (txid: string, amount: string) =>
  writeBrCode({
    url: `psp.example/v2/${txid}`,
    amount: centsOf(amount) ?? 0,
    merchantName: "PSP",
    merchantCity: "BRASILIA",
  });

const stamp = () => realNow().toISOString().replace(/\D/g, "").slice(0, 12);

/** An error in the form of the standard (RFC 7807). */
export const problem = (status: number, kind: string, detail = kind): Answer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${kind}`, title: kind, status, detail },
});

const found = <T>(kind: string, record: T | undefined, present: (record: T) => object): Answer =>
  record === undefined ? problem(404, `${kind}NaoEncontrado`) : { status: 200, body: present(record) };

const send = (response: ServerResponse, { status, body, headers }: Answer) =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body && JSON.stringify(body));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
