import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { resetStaffFactor } from "@/lib/staff/reset-second-factor";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "Remove the second factor that a person of the staff has lost",
      tag: "Operator",
      auth: "staff",
      staffScope: "staff:write",
      stepUp: true,
      ids: { id: "person_not_found" },
      response: Message,
      errors: ["person_not_found", "own_access", "second_factor_missing"],
    },
    ({ caller, params }) => resetStaffFactor({ userId: caller.userId, id: params.id ?? "" }),
  ),
});
