import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { RecoveryCodes } from "@/lib/users/schema";
import { renewRecoveryCodes } from "@/lib/users/second-factor";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Draw new recovery codes in place of all others",
      tag: "Security",
      auth: "person",
      stepUp: true,
      response: RecoveryCodes,
      errors: ["second_factor_missing"],
    },
    ({ caller }) => renewRecoveryCodes(caller),
  ),
});
