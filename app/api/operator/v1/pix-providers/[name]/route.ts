import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { changeProvider } from "@/lib/providers/connect";
import { settingsErrors } from "@/lib/providers/errors";
import { readProvider } from "@/lib/providers/read";
import { OneProvider, ProviderChanges } from "@/lib/providers/schema";

const common = { tag: "Operator", auth: "staff", response: OneProvider, errors: ["provider_not_found"] } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint({ summary: "A Pix provider", ...common }, ({ params }) => readProvider(params.name ?? "")),
  PUT: endpoint(
    {
      summary: "Change a Pix provider, or make it the default; changed settings are tried first",
      staffScope: "providers:write",
      stepUp: true,
      body: ProviderChanges,
      ...common,
      errors: ["provider_not_found", "payouts_not_offered", "rail_unavailable", ...settingsErrors],
    },
    ({ params, body }) => changeProvider({ ...body, name: params.name ?? "" }),
  ),
});
