import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listAccountsOf } from "@/lib/team/accounts";
import { AccountsOfPerson } from "@/lib/team/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The accounts that the session's person may open",
      tag: "Team",
      auth: "person",
      response: AccountsOfPerson,
    },
    ({ caller }) => listAccountsOf(caller),
  ),
});
