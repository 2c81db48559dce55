import { env } from "@/lib/env";
import { type Answer, httpClient, type Sent } from "@/lib/outside/http-client";

const TIMEOUT_MS = 10_000;

const psp = httpClient(() => ({
  provider: "simulator",
  baseUrl: `${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/pix/v1`,
  headers: { authorization: `Bearer ${env.SIMULATOR_SECRET}` },
}));

type Asked = {
  method?: Sent["method"];
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Asks the simulated PSP over HTTP with our credential. Throws as its client does. */
export function ask(
  path: string,
  { method = "GET", body, headers = {}, signal = AbortSignal.timeout(TIMEOUT_MS) }: Asked = {},
): Promise<Answer> {
  const kind = `${method} ${path.split(/[/?]/, 2).join("/")}`;
  return psp(path, { method, kind, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** The JSON of an answer. Throws for any status but 2xx. */
export function answered({ status, json }: Answer): unknown {
  if (status >= 200 && status < 300) return json;
  throw new Error(`The simulated PSP answered ${status}`);
}
