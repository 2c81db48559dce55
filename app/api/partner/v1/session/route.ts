import { SessionBody, SessionState } from "@/lib/accounts/schema";
import { AppError } from "@/lib/errors";
import { endpoint, methods } from "@/lib/http/endpoint";
import { switchAccount } from "@/lib/users/switch-account";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Look at the live account or at its sandbox; dashboard sessions only",
      tag: "Account",
      body: SessionBody,
      response: SessionState,
      errors: ["not_found"],
    },
    ({ account, body, caller }) => {
      if (!caller.sessionId) throw new AppError("not_found");
      return switchAccount(caller.sessionId, account.id, body.mode);
    },
  ),
});
