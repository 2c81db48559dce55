import { statement } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { methods } from "@/lib/http/methods";
import type { Jobs } from "@/lib/jobs/enqueue";
import { log } from "@/lib/log";
import { type Callback, type PixRail, railNamed } from "@/lib/rails/pix/port";

/**
 * `/callbacks/pix/{provider}`: verifies a rail's callback, stores it once, enqueues the `deposits.complete` job and
 * answers. Nothing is decided here: a callback is a trigger, and the job asks the rail itself what is true.
 */
export const callbacks = methods({
  POST: async (request, { params }) => receiveCallback(request, (await params)?.provider ?? ""),
});

async function receiveCallback(request: Request, provider: string): Promise<Response> {
  const rail = railNamed(provider);
  if (!rail) return json(404, { message: "Provedor de Pix desconhecido." });
  const callback = verify(rail, request.headers, await readText(request));
  if (callback === "malformed") return json(400, { message: "O corpo não é um aviso de Pix que se possa ler." });
  if (callback === null) {
    log.warn({ provider }, "callback refused: forged or stale");
    return json(401, { message: "Assinatura inválida ou fora do prazo." });
  }
  await storeCallback(provider, callback);
  return json(200, { received: true });
}

function verify(rail: PixRail, headers: Headers, rawBody: string) {
  try {
    return rail.verifyCallback(headers, rawBody, new Date());
  } catch (error) {
    if (error instanceof SyntaxError) return "malformed";
    throw error;
  }
}

/**
 * Stores the event once and enqueues its job each time, because a rail repeats a callback that it believes we missed,
 * and a second run of the job moves nothing.
 */
async function storeCallback(provider: string, { eventId, endToEndId, payload }: Callback) {
  const job: Jobs["deposits.complete"] = { provider, endToEndId };
  await statement(
    "pix-callback-store",
    `with stored as (
       insert into rail_callbacks (provider, event_id, payload) values ($1, $2, $3)
       on conflict (provider, event_id) do nothing
     )
     insert into outbox (name, payload) values ('deposits.complete', $4::jsonb)`,
    [provider, eventId, JSON.stringify(payload), JSON.stringify(job)],
  );
}
