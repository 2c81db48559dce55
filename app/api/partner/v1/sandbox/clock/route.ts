import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readClock } from "@/lib/sandbox/advance";
import { Clock } from "@/lib/sandbox/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Sandbox: the account's clock",
      tag: "Sandbox",
      scopes: ["transactions:read"],
      sandboxOnly: true,
      response: Clock,
    },
    ({ account }) => readClock(account),
  ),
});
