import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { methods } from "@/lib/http/methods";
import { log } from "@/lib/log";
import { storeCallbacks } from "@/lib/outside/inbox";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import { realNow } from "@/lib/time/clock";

/**
 * `/callbacks/pix/{provider}`: verifies what a rail sent, stores it once and answers. Nothing is decided here: a callback
 * wakes a watch, which asks the rail itself what is true.
 */
export const callbacks = methods({
  POST: async (request, { params }) => receiveCallbacks(request, (await params)?.provider ?? ""),
});

/**
 * Of several callbacks in one body those that can be read are stored, and the body is accepted: a rail would repeat it
 * whole and for ever for the sake of the others, whose payments are found in the rail's records anyway.
 */
async function receiveCallbacks(request: Request, provider: string): Promise<Response> {
  const rail = railNamed(provider);
  if (!rail) return json(404, { message: "Provedor de Pix desconhecido." });
  const sent = verify(rail, request.headers, await readText(request));
  if (sent === null) {
    log.warn({ provider }, "callback refused: forged or stale");
    return json(401, { message: "Assinatura inválida ou fora do prazo." });
  }
  const callbacks = sent.filter((callback) => callback !== "unreadable");
  if (callbacks.length === 0) return json(400, { message: "O corpo não é um aviso de Pix que se possa ler." });
  const unreadable = sent.length - callbacks.length;
  if (unreadable > 0) log.error({ provider, unreadable }, "callbacks that came with others could not be read");
  await storeCallbacks(provider, callbacks);
  return json(200, { received: true });
}

function verify(rail: PixRail, headers: Headers, rawBody: string): ReturnType<PixRail["verifyCallback"]> {
  try {
    return rail.verifyCallback(headers, rawBody, realNow());
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
