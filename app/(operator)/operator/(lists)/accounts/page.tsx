import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Sellers } from "@/components/operator/list";
import { listAccounts } from "@/lib/accounts/list";
import { AccountsQuery } from "@/lib/accounts/schema";
import { seesWhole } from "@/lib/auth/scopes";

export const generateMetadata = titled("operator", "accounts");

export default staffListPage({
  key: ["sellers", "list"],
  path: "/api/operator/v1/accounts",
  query: { per_page: 25 },
  filters: AccountsQuery,
  read: (query, scopes) => listAccounts(query, seesWhole(scopes)),
  shows: Sellers,
});
