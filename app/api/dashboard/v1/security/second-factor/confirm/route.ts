import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CodeBody, RecoveryCodes } from "@/lib/users/schema";
import { confirmSecondFactor } from "@/lib/users/second-factor";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Make the second factor count by a first code of it; the recovery codes are shown once",
      tag: "Security",
      auth: "person",
      body: CodeBody,
      response: RecoveryCodes,
      errors: ["second_factor_exists"],
    },
    ({ caller, body }) => confirmSecondFactor({ ...caller, ...body }),
  ),
});
