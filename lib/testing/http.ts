import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { env } from "@/lib/env";
import type { Contract } from "@/lib/http/contract";
import type { Endpoint } from "@/lib/http/endpoint";
import { createHost, type Route } from "@/lib/http/host";

type Routes = readonly Route[];
type Ask = {
  /** An access token, or a whole `Authorization` header. */
  token?: string;
  authorization?: string;
  /** Sent as JSON; a text or bytes are sent as they are. */
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
};

export type Answered = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/**
 * The real host over these routes on a free port, for all tests of a file, and this process pointed at it: the
 * simulated rail calls back there. Pages answer 404 in plain text.
 */
export function openHost(routes: Routes) {
  const host = createHost(routes.filter(isPlain), (_, response) => response.writeHead(404).end("a page"));
  const place = { url: "", ask };
  let before: object;
  beforeAll(async () => {
    before = { APP_URL: env.APP_URL, SIMULATOR_URL: env.SIMULATOR_URL };
    await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
    place.url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    Object.assign(env, { APP_URL: place.url, SIMULATOR_URL: place.url });
  });
  afterAll(
    () =>
      new Promise<void>((closed) => {
        Object.assign(env, before);
        host.close(() => closed());
        host.closeAllConnections();
      }),
  );

  async function ask(method: string, path: string, options: Ask = {}): Promise<Answered> {
    return askAt(place.url, method, path, options);
  }
  return place;
}

/** Sends one request and reads its answer; `json` is `{}` when the answer is not JSON. */
export async function askAt(url: string, method: string, path: string, options: Ask = {}): Promise<Answered> {
  const { token, authorization = token && `Bearer ${token}`, body, key, headers } = options;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const sent = body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit };
  const response = await fetch(`${url}${path}`, {
    method,
    ...sent,
    headers: {
      "content-type": "application/json",
      ...(authorization && { authorization }),
      ...(key && { "idempotency-key": key }),
      ...headers,
    },
    redirect: "manual",
  });
  const text = await response.text();
  const isJson = text !== "" && /json/.test(response.headers.get("content-type") ?? "");
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}

export type Operation = { method: string; path: string; contract: Contract };

/** Every operation that has a contract. Catch-all routes are for Next only. */
export function operationsOf(routes: Routes): Operation[] {
  return routes
    .filter(isPlain)
    .flatMap(({ path, module }) =>
      Object.entries(module as Record<string, Partial<Endpoint>>).flatMap(([method, { contract }]) =>
        contract?.tag ? [{ method, path, contract }] : [],
      ),
    );
}

/** A path with each parameter filled in. */
export const fill = (path: string, value: (name: string) => string) =>
  path.replaceAll(/\[(\w+)\]/g, (_, name: string) => value(name));

const isPlain = ({ path }: Route) => !path.includes("[...");
