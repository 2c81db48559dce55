import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resumeContract } from "@/lib/subscriptions/contracts";
import { resumeSubscription } from "@/lib/subscriptions/pause";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(resumeContract, ({ account, params, intent }) =>
    resumeSubscription(account, { id: params.token ?? "" }, intent),
  ),
});
