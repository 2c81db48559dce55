import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { changeProfile } from "@/lib/profile/change";
import { readOwnAccount } from "@/lib/profile/read";
import { OwnAccountAnswer, OwnProfileAnswer, ProfileChange } from "@/lib/profile/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account as its own people see it",
      tag: "Account",
      scopes: ["profile:read"],
      response: OwnAccountAnswer,
    },
    ({ account }) => readOwnAccount(account.id),
  ),
  PATCH: endpoint(
    {
      summary: "Change the account's phone, address, support contact and time zone",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      evenIfFull: true,
      body: ProfileChange,
      response: OwnProfileAnswer,
      errors: ["time_zone_fixed"],
    },
    ({ account, body, intent }) => changeProfile(account, body, intent),
  ),
});
