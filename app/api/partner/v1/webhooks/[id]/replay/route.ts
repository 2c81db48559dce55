import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readReplay, replayWebhook, stopReplay } from "@/lib/webhooks/replay";
import { LastReplay, ReplayAnswer, ReplayInput } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The last replay of a webhook, and how far it has come",
      tag: "Webhooks",
      scopes: ["webhooks:read"],
      response: LastReplay,
      errors: ["webhook_not_found"],
    },
    ({ account, params }) => readReplay(account.id, params.id ?? ""),
  ),
  POST: endpoint(
    {
      summary: "Send the events of a period to a webhook again, or count them",
      description: "Each keeps its id and body. The work goes on after the answer, behind what happens now.",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      body: ReplayInput,
      response: ReplayAnswer,
      goesOn: ({ data }: ReplayAnswer) => data.state === "running",
      errors: ["webhook_not_found", "webhook_disabled", "replay_running"],
    },
    ({ account, params, body, intent }) => replayWebhook(account, { ...body, id: params.id ?? "" }, intent),
  ),
  DELETE: endpoint(
    {
      summary: "Stop the replay of a webhook; what it has planned is still sent",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      response: LastReplay,
      errors: ["webhook_not_found"],
    },
    ({ account, params }) => stopReplay(account, { id: params.id ?? "" }),
  ),
});
