import type { AccountContext } from "@/lib/accounts/context";
import { queryOf, readFor, type Tx } from "@/lib/db";
import { invalid } from "@/lib/errors";
import { lastEvents } from "@/lib/events/past";
import { exampleOf, kindsFor, openEvent, routesTo } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { FIRST_ID, LAST_ID } from "@/lib/lists/period";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { realNow } from "@/lib/time/clock";
import { decrypt } from "@/lib/vault/vault";
import { tokenContext } from "@/lib/webhooks/create";
import { TIMEOUT_MS } from "@/lib/webhooks/deliver";
import { findWebhook } from "@/lib/webhooks/read";
import type { TestedWebhook, TestInput, WebhookEvent } from "@/lib/webhooks/schema";
import { send } from "@/lib/webhooks/send";
import { headersOf } from "@/lib/webhooks/sign";
import type { Webhook } from "@/prisma/client/client";

/** How many of the account's last events are looked at for one of the kind. */
const LOOKED = 1_000;
/** How many of the kind are tried: a webhook is told of some of their changes alone. */
const TRIED = 20;

/**
 * Sends a webhook one event that did not happen, and answers what its receiver said: the account's latest of the kind under an id of
 * its own, or a made-up one. It is in no list and in no count. Bodies that have room for it say that it is a test. Throws
 * `webhook_not_found`, `rate_limit_exceeded`, and 422 for a kind that the webhook does not get.
 */
export async function sendTest(
  { id: accountId, mode }: Pick<AccountContext, "id" | "mode">,
  { id, event: named }: TestInput & { id: string },
): Promise<TestedWebhook> {
  await spendSlot("webhook-test", accountId);
  const { webhook, tokens, kept, route } = await readFor(accountId, async (tx) => {
    const webhook = await findWebhook(tx, accountId, id);
    const registration = webhook.event as WebhookEvent;
    const routes = routesTo(registration);
    const route = named === undefined ? routes[0] : routes.find(({ name }) => name === named);
    if (!route) throw invalid({ event: [`Este webhook recebe: ${routes.map(({ name }) => name).join(", ")}.`] });
    const types = routes.filter(({ name }) => name === route.name).map(({ type }) => type);
    const kept = await findLatest(tx, accountId, { types, registration, name: route.name });
    return { webhook, route, kept, tokens: await tokensOf(tx, webhook) };
  });
  const at = realNow();
  const event = kept ?? exampleOf(webhook.event as WebhookEvent, route.name);
  const eventId = newId();
  const rendered = openEvent({ ...event, id: eventId, occurredAt: at }).body(route);
  const body = JSON.stringify(route.contract === "event" ? { ...rendered, test: true } : rendered);
  const headers = headersOf({ ...route, event: route.name, eventId, attemptId: newId(), body, tokens, at });
  const message = {
    accountId,
    url: webhook.url,
    mode,
    headers,
    body,
    timeoutMs: TIMEOUT_MS[route.contract],
    hide: tokens,
    at,
  };
  const { status, body: answer, error, durationMs } = await send(message);
  return {
    data: {
      ...{ event: route.name, event_id: eventId, is_made_up: kept === undefined, request_body: body },
      ...{ response_status: status, response_body: answer, error, duration_ms: durationMs },
    },
  };
}

type Wanted = { types: string[]; registration: WebhookEvent; name: string };

async function findLatest(tx: Tx, accountId: string, { types, registration, name }: Wanted) {
  const kinds = kindsFor(registration).map((kind) => ({
    ...kind,
    types: kind.types.filter((type) => types.includes(type)),
  }));
  const past = { accountId, kinds, after: FIRST_ID, until: LAST_ID };
  const { rows } = await lastEvents(queryOf(tx), past, { skip: 0, take: TRIED, looked: LOOKED });
  return rows.find((event) =>
    openEvent(event).subscriptions.some((route) => route.registration === registration && route.name === name),
  );
}

/** The secrets that sign for a webhook now, the newest first. */
async function tokensOf(tx: Tx, { accountId, id: webhookId, sealedToken }: Webhook): Promise<string[]> {
  const where = { accountId, webhookId, endsAt: { gt: realNow() } };
  const previous = await tx.webhookPreviousToken.findMany({ where, orderBy: { endsAt: "desc" } });
  return [sealedToken, ...previous.map((one) => one.sealedToken)].map((sealed) =>
    decrypt(Buffer.from(sealed), tokenContext(accountId)).toString(),
  );
}
