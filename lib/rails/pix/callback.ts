import { statement } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { methods } from "@/lib/http/methods";
import { log } from "@/lib/log";
import { type Callback, type PixRail, railNamed } from "@/lib/rails/pix/port";
import { wake } from "@/lib/wake";

/**
 * `/callbacks/pix/{provider}`: verifies a rail's callback, stores it once and answers. Nothing is decided here: a
 * callback is a trigger, and `lib/deposits/complete.ts` asks the rail itself what is true.
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
 * Stores the event once. A rail repeats a callback that it believes we missed, so a repeat is asked about again; what
 * was completed already moves nothing.
 */
async function storeCallback(provider: string, { eventId, endToEndId, payload }: Callback) {
  await statement(
    "pix-callback-store",
    `insert into rail_callbacks (provider, event_id, end_to_end_id, payload, ask_at) values ($1, $2, $3, $4, now())
     on conflict (provider, event_id) do update set ask_at = coalesce(rail_callbacks.ask_at, now())`,
    [provider, eventId, endToEndId, JSON.stringify(payload)],
  );
  wake("callbacks");
}
