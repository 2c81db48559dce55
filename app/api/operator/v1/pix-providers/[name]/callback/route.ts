import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readCallbackState } from "@/lib/providers/read";
import { CallbackState } from "@/lib/providers/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Whether a Pix provider calls back at the address that is ours; asks the provider",
      tag: "Operator",
      auth: "staff",
      response: CallbackState,
      errors: ["provider_not_found"],
    },
    ({ params }) => readCallbackState(params.name ?? ""),
  ),
});
