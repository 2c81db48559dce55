import { json } from "@/lib/http/answer";
import { readText } from "@/lib/http/body";
import { clientAddress, isCertified } from "@/lib/http/client-address";
import { methods } from "@/lib/http/methods";
import { log } from "@/lib/log";
import { type Callback, type CallbackRequest, storeCallbacks } from "@/lib/outside/inbox";
import { realNow } from "@/lib/time/clock";

/** Who sends callbacks: what each body has, as its port says. */
type Sender = {
  verifyCallback(sent: CallbackRequest, now: Date): readonly (Callback | "unreadable")[] | null;
};

/**
 * The route of callbacks: verifies what a provider sent, stores it once and answers. Nothing is decided here: a callback wakes a
 * watch, which asks the provider itself what is true.
 */
export const callbacksFrom = (senderNamed: (provider: string) => Sender | null, of: string) =>
  methods({
    POST: async (request, { params }) => {
      const { provider = "", secret = "" } = (await params) ?? {};
      const sender = senderNamed(provider);
      return sender
        ? receive(request, { provider, secret }, sender, of)
        : json(404, { message: `Provedor de ${of} desconhecido.` });
    },
  });

/**
 * A body without a callback is accepted, because a provider may try the address with one. Of several callbacks in one body
 * those that can be read are stored, and the body is accepted: a provider would repeat it whole and for ever for the sake of
 * the others, which are found in the provider's records anyway.
 */
async function receive(request: Request, { provider, secret }: Address, sender: Sender, of: string): Promise<Response> {
  const sent = verify(sender, {
    ...{ headers: request.headers, rawBody: await readText(request), secret },
    ...{ from: clientAddress(request), isCertified: isCertified(request) },
  });
  if (sent === null) {
    log.warn({ provider }, "callback refused: forged or stale");
    return json(401, { message: "Assinatura inválida ou fora do prazo." });
  }
  const callbacks = sent.filter((callback) => callback !== "unreadable").slice(0, MAX_CALLBACKS);
  if (callbacks.length === 0 && sent.length > 0)
    return json(400, { message: `O corpo não é um aviso de ${of} que se possa ler.` });
  const unreadable = sent.length - callbacks.length;
  if (unreadable > 0)
    log.error({ provider, unreadable }, "callbacks that came with others could not be read, or were too many");
  await storeCallbacks(provider, callbacks);
  return json(200, { received: true });
}

/** What more than this one body reports is found in the provider's lists. */
const MAX_CALLBACKS = 1_000;

type Address = { provider: string; secret: string };

function verify(sender: Sender, sent: CallbackRequest): ReturnType<Sender["verifyCallback"]> {
  try {
    return sender.verifyCallback(sent, realNow());
  } catch (error) {
    if (error instanceof SyntaxError) return ["unreadable"];
    throw error;
  }
}
