import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readCallbackState } from "@/lib/providers/read";
import { replaceAddress } from "@/lib/providers/replace-address";
import { CallbackState, OneProvider } from "@/lib/providers/schema";

const common = { tag: "Operator", auth: "staff", errors: ["provider_not_found"] } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Whether a Pix provider calls back at the address that is ours; asks the provider",
      response: CallbackState,
      ...common,
    },
    ({ params }) => readCallbackState(params.name ?? ""),
  ),
  POST: endpoint(
    {
      summary: "Have a Pix provider call back at a new secret address, after which the old one is good for nothing",
      staffScope: "providers:write",
      stepUp: true,
      response: OneProvider,
      ...common,
    },
    ({ params }) => replaceAddress({ name: params.name ?? "" }),
  ),
});
