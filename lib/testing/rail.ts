import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { env } from "@/lib/env";
import { json } from "@/lib/http/answer";
import type { Handler, methods } from "@/lib/http/methods";
import { charge, charges } from "@/lib/rails/cards/simulator/routes";
import { callbacks } from "@/lib/rails/pix/callback";
import { payments } from "@/lib/rails/pix/simulator/payments";
import { received, receivedOne } from "@/lib/rails/pix/simulator/received";
import { freePort } from "@/lib/testing/program";

type Methods = ReturnType<typeof methods>;

/** The routes of both simulators and our callback: each path has at most one parameter. */
const routes: readonly (readonly [path: RegExp, param: string, methods: Methods])[] = [
  [/^\/simulator\/pix\/v1\/payments$/, "", payments],
  [/^\/simulator\/pix\/v1\/received$/, "", received],
  [/^\/simulator\/pix\/v1\/received\/([^/]+)$/, "endToEndId", receivedOne],
  [/^\/simulator\/cards\/v1\/charges$/, "", charges],
  [/^\/simulator\/cards\/v1\/charges\/([^/]+)$/, "id", charge],
  [/^\/callbacks\/pix\/([^/]+)$/, "provider", callbacks],
];

/**
 * Serves the simulated rails over HTTP on a free port and points this process at them, for the adapters' calls and the
 * PSP's notices. `onCallback` replaces our own callback, to play a receiver that is down or slow. `asked` is every path
 * that was asked for.
 */
export async function serveRail({ onCallback }: { onCallback?: Handler } = {}) {
  const asked: string[] = [];
  const answer: Handler = async (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    for (const [path, param, methods] of routes) {
      const { 0: whole, 1: value = "" } = path.exec(pathname) ?? [];
      if (whole === undefined) continue;
      const context = { params: Promise.resolve({ [param]: decodeURIComponent(value) }) };
      if (param === "provider" && onCallback) return onCallback(request, context);
      const handler = methods[request.method as keyof Methods];
      return handler ? handler(request, context) : json(405, {});
    }
    return json(404, {});
  };
  const none = { params: Promise.resolve({}) };
  const server = serve({ fetch: (request) => answer(request, none), port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await new Promise((listening) => server.once("listening", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pointAt(url);
  return { url, asked, close: () => new Promise((closed) => server.close(closed)) };
}

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
