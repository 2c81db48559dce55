import { env } from "@/lib/env";
import { httpClient } from "@/lib/outside/http-client";
import type { Answered, Order, TrackingService } from "@/lib/tracking/port";
import { utmifyOrder } from "@/lib/tracking/utmify";
import type { Mode } from "@/prisma/client/enums";

/** The first bytes of an answer that are kept. */
const KEPT = 500;

type Request = { path: string; headers: Record<string, string>; body: object };

/** The port's own form: the transaction event's body under a bearer token. The event's id is the idempotency key. */
const plain = ({ token, event }: Order): Request => ({
  path: "",
  headers: { authorization: `Bearer ${token}`, "idempotency-key": event.event_id },
  body: event,
});

/** The form of UTMify's API of orders, which is documented in public. */
const utmify = (order: Order): Request => ({
  path: "",
  headers: { "x-api-token": order.token },
  body: utmifyOrder(order),
});

function serviceOf(baseUrl: () => string, requestOf: (order: Order) => Request): TrackingService {
  const ask = httpClient(() => ({ provider: "tracking", baseUrl: baseUrl() }));
  return {
    async send(order): Promise<Answered> {
      const { path, headers, body } = requestOf(order);
      const { status, json } = await ask(path, {
        ...{ kind: "order", method: "POST", headers, signal: order.signal },
        body: JSON.stringify(body),
      });
      const text = json === undefined ? null : JSON.stringify(json).replaceAll(order.token, "…").slice(0, KEPT);
      return { status, text };
    },
  };
}

const simulated = serviceOf(() => `${env.SIMULATOR_URL}/simulator/tracking/v1/orders`, plain);
const live = serviceOf(
  () => env.TRACKING_URL ?? "",
  (order) => (isUtmify(env.TRACKING_URL ?? "") ? utmify(order) : plain(order)),
);

const isUtmify = (url: string) => /(^|\.)utmify\.com\.br$/.test(new URL(url).hostname);

/** The service of accounts of this mode; null where none is configured. A sandbox only ever has the simulated one. */
export function trackingFor(mode: Mode): TrackingService | null {
  if (mode === "sandbox") return simulated;
  return env.TRACKING_URL ? live : null;
}
