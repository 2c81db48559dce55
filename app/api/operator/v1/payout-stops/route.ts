import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { PayoutStops, PlaceOfStop, StopBody } from "@/lib/withdrawals/schema";
import { liftStop, listStops, stopPayouts } from "@/lib/withdrawals/stops";

const common = { tag: "Operator", auth: "staff", staffScope: "money:write", response: Message } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "Where payouts are stopped", tag: "Operator", auth: "staff", response: PayoutStops },
    listStops,
  ),
  POST: endpoint(
    {
      summary: "Stop payouts everywhere, of a rail or of an account",
      body: StopBody,
      errors: ["account_not_found"],
      ...common,
    },
    ({ body }) => stopPayouts(body),
  ),
  DELETE: endpoint({ summary: "Let payouts through again", stepUp: true, query: PlaceOfStop, ...common }, ({ query }) =>
    liftStop(query),
  ),
});
