import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { methods } from "@/lib/http/methods";
import { log } from "@/lib/log";
import { storeCallback } from "@/lib/rails/pix/inbox";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import { realNow } from "@/lib/time/clock";

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
    return rail.verifyCallback(headers, rawBody, realNow());
  } catch (error) {
    if (error instanceof SyntaxError) return "malformed";
    throw error;
  }
}
