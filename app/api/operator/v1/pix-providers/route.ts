import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { connectProvider } from "@/lib/providers/connect";
import { settingsErrors } from "@/lib/providers/errors";
import { listProviders } from "@/lib/providers/read";
import { OneProvider, ProviderBody, Providers } from "@/lib/providers/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "The Pix providers that are connected", tag: "Operator", auth: "staff", response: Providers },
    listProviders,
  ),
  POST: endpoint(
    {
      summary: "Connect a Pix provider, after its settings were tried",
      tag: "Operator",
      auth: "staff",
      staffScope: "providers:write",
      stepUp: true,
      body: ProviderBody,
      status: 201,
      response: OneProvider,
      errors: ["provider_exists", "rail_unavailable", ...settingsErrors],
    },
    ({ body }) => connectProvider(body),
  ),
});
