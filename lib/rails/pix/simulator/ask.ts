import { env } from "@/lib/env";
import { send } from "@/lib/rails/send";

const TIMEOUT_MS = 10_000;

type Asked = {
  method?: "GET" | "POST" | "PUT" | "PATCH";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Asks the simulated PSP over HTTP with our credential. Throws as `send` does. */
export function ask(
  path: string,
  { method = "GET", body, headers, signal = AbortSignal.timeout(TIMEOUT_MS) }: Asked = {},
) {
  return send(`${env.SIMULATOR_URL.replace(/\/+$/, "")}/simulator/pix/v1${path}`, {
    method,
    asked: { provider: "simulator", kind: `${method} ${path.split(/[/?]/, 2).join("/")}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${env.SIMULATOR_SECRET}`, "content-type": "application/json", ...headers },
    signal,
  });
}

/** The JSON of an answer. Throws for any status but 2xx. */
export function answered({ status, json }: Awaited<ReturnType<typeof send>>): unknown {
  if (status >= 200 && status < 300) return json;
  throw new Error(`The simulated PSP answered ${status}`);
}
