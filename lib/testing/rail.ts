import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll } from "vitest";
import { callbacks as cardCallbacks } from "@/lib/callbacks/cards";
import { callbacks } from "@/lib/callbacks/pix";
import { env } from "@/lib/env";
import { json } from "@/lib/http/answer";
import type { Handler, methods } from "@/lib/http/methods";
import { chargebacks } from "@/lib/simulators/cards/chargebacks";
import { refund } from "@/lib/simulators/cards/refunds";
import { charge, charges } from "@/lib/simulators/cards/routes";
import { cobr, retry } from "@/lib/simulators/pix/cobrs";
import { cob } from "@/lib/simulators/pix/cobs";
import { days } from "@/lib/simulators/pix/days";
import { devolucao, devolucaoEnd } from "@/lib/simulators/pix/devolucoes";
import { infractions } from "@/lib/simulators/pix/infractions";
import { keys } from "@/lib/simulators/pix/keys";
import { payer } from "@/lib/simulators/pix/payer";
import { payments } from "@/lib/simulators/pix/payments";
import { payout, payoutEnd, payoutReturns, payouts } from "@/lib/simulators/pix/payouts";
import { received, receivedOne } from "@/lib/simulators/pix/received";
import { rec, recs } from "@/lib/simulators/pix/recs";
import { freePort } from "@/lib/testing/program";

type Methods = ReturnType<typeof methods>;

/** The routes of both simulators and our callback. */
const routes: readonly (readonly [path: RegExp, methods: Methods])[] = [
  [/^\/simulator\/pix\/v1\/payments$/, payments],
  [/^\/simulator\/pix\/v1\/received$/, received],
  [/^\/simulator\/pix\/v1\/received\/(?<endToEndId>[^/]+)$/, receivedOne],
  [/^\/simulator\/pix\/v1\/received\/(?<endToEndId>[^/]+)\/devolucao\/(?<id>[^/]+)$/, devolucao],
  [/^\/simulator\/pix\/v1\/received\/(?<endToEndId>[^/]+)\/devolucao\/(?<id>[^/]+)\/end$/, devolucaoEnd],
  [/^\/simulator\/pix\/v1\/cob\/(?<txid>[^/]+)$/, cob],
  [/^\/simulator\/pix\/v1\/rec$/, recs],
  [/^\/simulator\/pix\/v1\/rec\/(?<idRec>[^/]+)$/, rec],
  [/^\/simulator\/pix\/v1\/rec\/(?<idRec>[^/]+)\/payer$/, payer],
  [/^\/simulator\/pix\/v1\/cobr\/(?<txid>[^/]+)$/, cobr],
  [/^\/simulator\/pix\/v1\/cobr\/(?<txid>[^/]+)\/retentativa\/(?<data>[^/]+)$/, retry],
  [/^\/simulator\/pix\/v1\/days$/, days],
  [/^\/simulator\/pix\/v1\/keys$/, keys],
  [/^\/simulator\/pix\/v1\/payouts$/, payouts],
  [/^\/simulator\/pix\/v1\/payouts\/(?<id>[^/]+)$/, payout],
  [/^\/simulator\/pix\/v1\/payouts\/(?<id>[^/]+)\/end$/, payoutEnd],
  [/^\/simulator\/pix\/v1\/payouts\/(?<id>[^/]+)\/returns$/, payoutReturns],
  [/^\/simulator\/cards\/v1\/charges$/, charges],
  [/^\/simulator\/cards\/v1\/charges\/(?<id>[^/]+)$/, charge],
  [/^\/simulator\/cards\/v1\/charges\/(?<id>[^/]+)\/refunds\/(?<refund_id>[^/]+)$/, refund],
  [/^\/simulator\/pix\/v1\/infractions$/, infractions.all],
  [/^\/simulator\/pix\/v1\/infractions\/(?<id>[^/]+)$/, infractions.one],
  [/^\/simulator\/pix\/v1\/infractions\/(?<id>[^/]+)\/defence$/, infractions.defence],
  [/^\/simulator\/pix\/v1\/infractions\/(?<id>[^/]+)\/end$/, infractions.end],
  [/^\/simulator\/cards\/v1\/chargebacks$/, chargebacks.all],
  [/^\/simulator\/cards\/v1\/chargebacks\/(?<id>[^/]+)$/, chargebacks.one],
  [/^\/simulator\/cards\/v1\/chargebacks\/(?<id>[^/]+)\/defence$/, chargebacks.defence],
  [/^\/simulator\/cards\/v1\/chargebacks\/(?<id>[^/]+)\/end$/, chargebacks.end],
  [/^\/callbacks\/pix\/(?<provider>[^/]+)$/, callbacks],
  [/^\/callbacks\/cards\/(?<provider>[^/]+)$/, cardCallbacks],
];

/** Serves the simulated rails (`serveRail`) for all tests of a file. */
export function openRail(): void {
  let rail: Awaited<ReturnType<typeof serveRail>>;
  beforeAll(async () => {
    rail = await serveRail();
  });
  afterAll(() => rail.close());
}

/**
 * Serves the simulated rails over HTTP on a free port and points this process at them, for the adapters' calls and the
 * PSP's notices. `onCallback` replaces our own callback, to play a receiver that is down or slow. `asked` is every path
 * that was asked for. `late.ms` holds back the answers to what a simulator was asked and did. `between` plays the network:
 * it has each request served when, and as often as, it arrives, and resolves to what the caller gets.
 */
export async function serveRail({ onCallback, between = arrive }: { onCallback?: Handler; between?: Between } = {}) {
  const asked: string[] = [];
  const late = { ms: 0 };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    for (const [path, methods] of routes) {
      const found = path.exec(pathname);
      if (!found) continue;
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      const context = { params: Promise.resolve(Object.fromEntries(params)) };
      if (methods === callbacks && onCallback) return onCallback(request, context);
      const response = await methods[request.method as keyof Methods](request, context);
      if (late.ms > 0 && methods !== callbacks) await new Promise((resolve) => setTimeout(resolve, late.ms));
      return response;
    }
    return json(404, {});
  };
  const server = serve({ fetch: (request) => between(request, answer), port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await new Promise((listening) => server.once("listening", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pointAt(url);
  return { url, asked, late, close: () => new Promise((closed) => server.close(closed)) };
}

type Between = (request: Request, serve: (request: Request) => Promise<Response>) => Promise<Response>;
const arrive: Between = (request, serve) => serve(request);

/** Runs work while no rail answers. */
export async function whileDown<T>(run: () => Promise<T>): Promise<T> {
  const { SIMULATOR_URL } = env;
  Object.assign(env, { SIMULATOR_URL: `http://127.0.0.1:${await freePort()}` });
  return run().finally(() => Object.assign(env, { SIMULATOR_URL }));
}

function pointAt(url: string) {
  Object.assign(process.env, { SIMULATOR_URL: url, APP_URL: url });
  Object.assign(env, { SIMULATOR_URL: url, APP_URL: url });
  if (env.SIMULATOR_URL !== url || env.APP_URL !== url) {
    throw new Error("The environment was read before serveRail(), and its values stay");
  }
}
