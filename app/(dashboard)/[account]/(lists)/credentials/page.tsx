import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Credentials } from "@/components/credentials/list";
import { listCredentials } from "@/lib/credentials/read";
import { PageQuery } from "@/lib/lists/pagination";

export const generateMetadata = titled("credentials", "title");

export default listPage({
  texts: ["credentials", "scopes"],
  scope: "credentials:read",
  key: ["credentials"],
  path: "/api/partner/v1/credentials",
  query: { per_page: 100 },
  filters: PageQuery,
  read: ({ id }, query) => listCredentials(id, query),
  shows: Credentials,
  curl: `curl -X POST $API/auth-token -H "Content-Type: application/json" -d '{"client_id": "…", "client_secret": "…"}'`,
});
