import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { methods } from "@/lib/http/methods";
import { log } from "@/lib/log";
import { type Callback, storeCallbacks } from "@/lib/outside/inbox";
import { realNow } from "@/lib/time/clock";

/** Who sends callbacks: what each body has, as its port says. */
type Sender = {
  verifyCallback(headers: Headers, rawBody: string, now: Date): readonly (Callback | "unreadable")[] | null;
};

/**
 * The route of callbacks: verifies what a provider sent, stores it once and answers. Nothing is decided here: a callback wakes a
 * watch, which asks the provider itself what is true.
 */
export const callbacksFrom = (senderNamed: (provider: string) => Sender | null, of: string) =>
  methods({
    POST: async (request, { params }) => {
      const provider = (await params)?.provider ?? "";
      const sender = senderNamed(provider);
      return sender
        ? receive(request, provider, sender, of)
        : json(404, { message: `Provedor de ${of} desconhecido.` });
    },
  });

/**
 * Of several callbacks in one body those that can be read are stored, and the body is accepted: a provider would repeat it
 * whole and for ever for the sake of the others, which are found in the provider's records anyway.
 */
async function receive(request: Request, provider: string, sender: Sender, of: string): Promise<Response> {
  const sent = verify(sender, request.headers, await readText(request));
  if (sent === null) {
    log.warn({ provider }, "callback refused: forged or stale");
    return json(401, { message: "Assinatura inválida ou fora do prazo." });
  }
  const callbacks = sent.filter((callback) => callback !== "unreadable");
  if (callbacks.length === 0) return json(400, { message: `O corpo não é um aviso de ${of} que se possa ler.` });
  const unreadable = sent.length - callbacks.length;
  if (unreadable > 0) log.error({ provider, unreadable }, "callbacks that came with others could not be read");
  await storeCallbacks(provider, callbacks);
  return json(200, { received: true });
}

function verify(sender: Sender, headers: Headers, rawBody: string): ReturnType<Sender["verifyCallback"]> {
  try {
    return sender.verifyCallback(headers, rawBody, realNow());
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
