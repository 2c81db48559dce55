import { routes } from "@/app/routes.generated";
import { env } from "@/lib/env";
import { openapi } from "@/lib/http/openapi";
import { verbs } from "@/lib/http/verbs";

let document: string | undefined;

export const { GET, POST, PUT, PATCH, DELETE } = verbs({
  GET: async () => {
    document ??= JSON.stringify(openapi(routes, env.APP_URL));
    return new Response(document, { headers: { "content-type": "application/json" } });
  },
});
