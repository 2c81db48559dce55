import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { pauseContract } from "@/lib/subscriptions/contracts";
import { pauseSubscription } from "@/lib/subscriptions/pause";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(pauseContract, ({ account, params, body, intent }) =>
    pauseSubscription(account, { ...body, id: params.token ?? "" }, intent),
  ),
});
