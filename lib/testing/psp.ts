import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { env } from "@/lib/env";
import { centsOf, decimal } from "@/lib/money";
import { httpClient, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import type { DynamicCodes, Issued } from "@/lib/rails/pix/port";
import { replaceCodes } from "@/lib/testing/code-rail";

/** The fields of a `cob` of the Central Bank's API Pix that we read. */
type Cob = { txid: string; valor: { original: string }; calendario: { expiracao: number }; pixCopiaECola: string };
type Sent = { method: string; txid: string; body: string };
type Answer = (response: ServerResponse, sent: Sent) => unknown;

/**
 * A PSP that makes Pix codes itself, on a free port, and the sandbox's rail of this process changed to one that asks
 * it. `sent` are the requests that it got, `cobs` those that it made; `instead` answers in its place until it is
 * removed. `close` restores the sandbox's own rail.
 */
export async function servePsp() {
  const cobs = new Map<string, Cob>();
  const sent: Sent[] = [];
  const place: { instead?: Answer | undefined } = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "" } = request;
    const asked = { method, txid: url.replace(/^\/cob\//, ""), body: Buffer.concat(chunks).toString() };
    sent.push(asked);
    await (place.instead ?? answer)(response, asked);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const restore = makeCodesAt(url);

  /** Makes a `cob`, as the PSP does before it answers. */
  function make({ txid, body }: Sent): Cob {
    const { valor, calendario } = JSON.parse(body);
    const amount = centsOf(valor.original) ?? 0;
    const place = { merchantName: "PSP", merchantCity: "BRASILIA" };
    const cob = {
      txid,
      valor,
      calendario,
      pixCopiaECola: writeBrCode({ url: `psp.example/${txid}`, amount, ...place }),
    };
    cobs.set(txid, cob);
    return cob;
  }

  function answer(response: ServerResponse, asked: Sent) {
    const found = cobs.get(asked.txid);
    if (asked.method === "PUT") return found ? json(response, 409, {}) : json(response, 201, make(asked));
    return found ? json(response, 200, found) : json(response, 404, { type: NOT_FOUND });
  }

  function close() {
    restore();
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  }

  return Object.assign(place, { url, cobs, sent, make, close });
}

const NOT_FOUND = "https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado";

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/**
 * Changes the sandbox's rail of this process to one whose codes are made at `url`. Returns a function that undoes it.
 */
export const makeCodesAt = (url: string): (() => void) => replaceCodes(dynamic(url));

function dynamic(url: string): DynamicCodes {
  const headers = { authorization: `Bearer ${env.SIMULATOR_SECRET}` };
  const client = httpClient(() => ({ provider: "psp", baseUrl: url, headers }));
  const ask = (txid: string, timeoutMs: number, sent: { method: "GET" | "PUT"; body?: string }) =>
    client(`/cob/${txid}`, { ...sent, kind: `${sent.method} /cob`, signal: AbortSignal.timeout(timeoutMs) });
  return {
    async requestCode({ txid, amount, description, validMs }) {
      const body = JSON.stringify({
        calendario: { expiracao: Math.round(validMs / 1000) },
        valor: { original: decimal(amount) },
        solicitacaoPagador: description,
      });
      const { status, json } = await ask(txid, timeouts.callMs, { method: "PUT", body });
      if (status === UNREACHED || status === 400) return { status: "lost" };
      if (status !== 201) throw new Error(`The PSP answered ${status} to a request for a code`);
      return issued(json as Cob, amount);
    },

    async findCode({ txid, amount }) {
      const { status, json } = await ask(txid, timeouts.findMs, { method: "GET" });
      if (status === 404 && (json as { type?: string } | undefined)?.type === NOT_FOUND) return null;
      if (status !== 200) throw new Error(`The PSP answered ${status} about a code`);
      return issued(json as Cob, amount);
    },
  };
}

function issued({ valor, pixCopiaECola }: Cob, amount: number): Issued {
  if (centsOf(valor.original) !== amount) throw new Error("The PSP answered with another amount");
  return { status: "issued", code: pixCopiaECola };
}
