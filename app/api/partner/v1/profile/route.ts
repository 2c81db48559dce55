import { readProfile } from "@/lib/accounts/read";
import { Profile } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "The account's registered data", tag: "Account", scopes: ["profile:read"], response: Profile },
    ({ account }) => readProfile(account.id),
  ),
});
