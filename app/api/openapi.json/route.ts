import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { methods } from "@/lib/http/methods";
import { openapi } from "@/lib/http/openapi";

let document: string | undefined;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async () => {
    document ??= JSON.stringify(openapi(routes, env.APP_URL));
    return new Response(document, { headers: { "content-type": "application/json" } });
  },
});
