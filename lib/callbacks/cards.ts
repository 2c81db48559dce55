import { callbacksFrom } from "@/lib/callbacks/receive";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";

/** `/callbacks/cards/{provider}`. An acquirer that calls nobody back is unknown here. */
export const callbacks = callbacksFrom((provider) => {
  const verifyCallback = acquirerNamed(provider)?.verifyCallback;
  return verifyCallback ? { verifyCallback } : null;
}, "cartão");
